/** What a registry answers about one package, in bytes. */

import { Buffer } from "node:buffer";
import { PackError } from "../../errors.ts";
import type { PackageName } from "./package_name.ts";
import { listingUrl, type RegistryUrls } from "./registry_urls.ts";
import type { PackageSettings } from "./settings.ts";

/** Answers that leave out what is not needed, where the registry knows them. */
const ACCEPT = {
  npm: "application/vnd.npm.install-v1+json, application/json;q=0.8",
  pypi: "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, " +
    "text/html;q=0.1",
  jsr: "application/json",
};

export interface Listing {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface ListingOptions {
  readonly urls: RegistryUrls;
  readonly settings: PackageSettings;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Asks the registry; throws `PackError`. */
export async function loadListing(asked: PackageName, options: ListingOptions): Promise<Listing> {
  const { settings: { timeoutMs, maxBytes }, signal, fetch } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const fail = (why: string, retryable?: boolean, cause?: unknown) =>
    new PackError("tool_error", `Cannot look up "${asked.name}" in ${asked.registry}: ${why}`, {
      retryable,
      cause,
    });
  try {
    const { url, headers } = requestOf(asked, options.urls);
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, deadline]) });
    if (!response.ok) {
      await response.body?.cancel();
      throw fail(...answered(response));
    }
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw fail(`its list of versions has more than ${maxBytes >> 20} MB`);
      pieces.push(piece);
    }
    const contentType = response.headers.get("content-type") ?? "";
    return { bytes: Buffer.concat(pieces), contentType };
  } catch (error) {
    if (error instanceof PackError || signal.aborted) throw error;
    if (deadline.aborted) throw fail(`no answer within ${timeoutMs / 1000} s`, true, error);
    const setting = `packs.package.registries.${asked.registry}`;
    throw fail(`the registry cannot be reached: ${setting} says where it is`, true, error);
  }
}

function requestOf(asked: PackageName, urls: RegistryUrls) {
  const url = new URL(listingUrl(asked, urls));
  const { username, password } = url;
  const headers: Record<string, string> = { accept: ACCEPT[asked.registry] };
  if (username !== "" || password !== "") {
    const pair = new TextEncoder().encode(
      `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
    );
    headers.authorization = `Basic ${pair.toBase64()}`;
    url.username = url.password = "";
  }
  return { url, headers };
}

function answered({ status, headers }: Response): [why: string, retryable: boolean] {
  if (status === 404) return ["there is no such package", false];
  const wait = headers.get("retry-after");
  const later = wait ? `: try again after ${wait.slice(0, 40)} s` : "";
  return [`the registry answered ${status}${later}`, status === 429 || status >= 500];
}
