/** Requests to the Brave Search API. */

import { sleep } from "#base";
import { askJson } from "../kit/ask_json.ts";
import { asRecord } from "../kit/values.ts";
import { PackError } from "../../errors.ts";
import type { BraveSettings } from "./settings.ts";

/** Longest wait for a rate limit to end. */
const MAX_WAIT_S = 5;
const MAX_TRIES = 3;

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface BraveClient {
  /** Gets a path below the base URL: `web/search`. */
  get(path: string, query: Query, signal: AbortSignal): Promise<Record<string, unknown>>;
}

/** Makes the client. It retries requests that exceed a short rate limit. */
export function createBraveClient(
  { apiKey, baseUrl, timeoutMs }: BraveSettings & { readonly apiKey: string },
  deps: { readonly fetch: typeof fetch },
): BraveClient {
  const headers = { "x-subscription-token": apiKey };
  const options = {
    fetch: deps.fetch,
    timeoutMs,
    what: "Cannot search",
    service: "Brave Search",
    keySetting: "packs.brave.api_key and what its plan includes",
    timeoutSetting: "packs.brave.timeout",
    secret: apiKey,
  };
  return {
    async get(path, query, signal) {
      const url = new URL(`${baseUrl.replace(/\/+$/, "")}/${path}`);
      for (const [name, value] of Object.entries(query)) {
        const all = value === undefined ? [] : Array.isArray(value) ? value : [value];
        for (const one of all) url.searchParams.append(name, String(one));
      }
      for (let tries = 1;; tries++) {
        try {
          return asRecord(await askJson({ url, headers }, { ...options, signal }));
        } catch (error) {
          const wait = tries < MAX_TRIES ? waitAfter(error) : undefined;
          if (wait === undefined) throw error;
          await sleep(wait * 1000, signal);
        }
      }
    },
  };
}

function waitAfter(error: unknown): number | undefined {
  if (!(error instanceof PackError) || error.details.status !== 429) return undefined;
  const { retry_after: wait = 1 } = error.details;
  return typeof wait === "number" && wait <= MAX_WAIT_S ? wait : undefined;
}
