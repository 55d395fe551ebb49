/** Requests to registries. */

import { PackError } from "../../errors.ts";
import { readBounded } from "../kit/read_bounded.ts";
import type { PackageName } from "./package_name.ts";
import { listingUrl, type RegistryUrls } from "./registry_urls.ts";
import type { PackageSettings } from "./settings.ts";

/** Media types of the shortest responses that the registries offer. */
const ACCEPT = {
  npm: "application/vnd.npm.install-v1+json, application/json;q=0.8",
  pypi: "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, " +
    "text/html;q=0.1",
  jsr: "application/json",
};

export interface Listing {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

export interface ListingOptions {
  readonly urls: RegistryUrls;
  readonly settings: PackageSettings;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Allows the rest of a large response. */
  readonly onLarge: (signal: AbortSignal) => Promise<void>;
}

/** Loads the versions of a package from its registry. Throws `PackError`. */
export async function loadListing(target: PackageName, options: ListingOptions): Promise<Listing> {
  const { settings: { timeoutMs, maxBytes }, signal, fetch, onLarge } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const fail = (why: string, retryable?: boolean, cause?: unknown) =>
    new PackError("tool_error", `Cannot look up "${target.name}" in ${target.registry}: ${why}`, {
      retryable,
      cause,
    });
  try {
    const { url, headers } = requestOf(target, options.urls);
    const response = await fetch(url, { headers, signal: either });
    if (!response.ok) {
      await response.body?.cancel();
      throw fail(...problemOf(response));
    }
    const bytes = await readBounded(response.body ?? [], maxBytes, () => onLarge(either));
    if (!bytes) throw fail(`its list of versions has more than ${maxBytes >> 20} MB`);
    return { bytes, contentType: response.headers.get("content-type") ?? "" };
  } catch (error) {
    if (error instanceof PackError || signal.aborted) throw error;
    if (deadline.aborted) throw fail(`no answer within ${timeoutMs / 1000} s`, true, error);
    const setting = `packs.package.registries.${target.registry}`;
    throw fail(`the registry cannot be reached: ${setting} says where it is`, true, error);
  }
}

function requestOf(target: PackageName, urls: RegistryUrls) {
  const url = new URL(listingUrl(target, urls));
  const { username, password } = url;
  const headers: Record<string, string> = { accept: ACCEPT[target.registry] };
  if (username !== "" || password !== "") {
    const pair = new TextEncoder().encode(
      `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
    );
    headers.authorization = `Basic ${pair.toBase64()}`;
    url.username = url.password = "";
  }
  return { url, headers };
}

function problemOf({ status, headers }: Response): [why: string, retryable: boolean] {
  if (status === 404) return ["there is no such package", false];
  const wait = headers.get("retry-after");
  const later = wait ? `: try again after ${wait.slice(0, 40)} s` : "";
  return [`the registry answered ${status}${later}`, status === 429 || status >= 500];
}
