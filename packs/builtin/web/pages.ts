/** Loads and converts pages, with a cache for the further parts of a page. */

import type { LRUCache } from "lru-cache";
import { createSemaphore, type NameAsker, sizeAsJson } from "#base";
import { createJobWorkers } from "../../jobs/workers.ts";
import { PackError } from "../../errors.ts";
import type { Destination } from "./destination.ts";
import type { Document, LoadOptions, WebDeps } from "./document.ts";
import type { WebSettings } from "./settings.ts";
import type { Converted } from "./work/convert.ts";
import type { ConvertInput } from "./work/types.ts";

/** Options for reading a page. */
export type Reading = Pick<ConvertInput, "format" | "main" | "images" | "selector">;

export interface Page extends Converted {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
}

export interface Pages extends AsyncDisposable {
  /** Reads a page; `fresh` ignores the cache. Throws `PackError`. */
  read(url: string, reading: Reading, options: ReadOptions): Promise<Page>;
}

interface ReadOptions extends NameAsker {
  readonly fresh: boolean;
}

type Cached =
  | { readonly kind: "document"; readonly document: Document }
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "robots"; readonly robots: string };

/** Pages that are loaded and converted at once: each takes several times its size. */
const MOST_AT_ONCE = 12;
const MOST_OF_RUN = 9;
const ROBOTS_BYTES = 512 * 1024;
const ROBOTS_MS = 3_600_000;
const ADVICE = "the page is too large to be read";
const ACCEPT = {
  markdown: "text/markdown, text/html;q=0.9, application/json;q=0.8, text/*;q=0.7, */*;q=0.5",
  other: "text/html, application/xhtml+xml, application/json;q=0.9, text/*;q=0.8, */*;q=0.5",
};

/** Makes the reader. */
export function createPages(settings: WebSettings, deps: WebDeps): Pages {
  const { cacheBytes, memoryMb, timeoutMs, userAgent } = settings;
  const allowed = once(async () => {
    const { allowedHosts } = await import("./allowed_hosts.ts");
    return allowedHosts(settings.allowPrivate);
  });
  const module = new URL("./work/worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, memoryMb, timeoutMs });
  const places = createSemaphore(MOST_AT_ONCE, MOST_OF_RUN);
  const cache = once(async (): Promise<LRUCache<string, Cached>> => {
    const { LRUCache } = await import("lru-cache");
    const maxSize = Math.max(cacheBytes, 1);
    const sizeCalculation = (entry: Cached, key: string) => sizeOf(entry, key, maxSize);
    return new LRUCache({ maxSize, sizeCalculation });
  });

  async function load(
    url: string,
    options: Pick<LoadOptions, "accept" | "signal" | "run" | "permit"> & {
      readonly maxBytes?: number;
    },
  ): Promise<Document> {
    const { loadDocument } = await import("./document.ts");
    const { maxBytes = settings.maxBytes, ...rest } = options;
    const bounded = { ...settings, maxBytes };
    return await loadDocument(url, { ...rest, settings: bounded, allowed: await allowed(), deps });
  }

  async function keep(key: string, entry: Cached, ttl: number): Promise<void> {
    if (ttl > 0 && cacheBytes > 0) (await cache()).set(key, entry, { ttl });
  }

  async function document(url: string, accept: string, { fresh, ...asker }: ReadOptions) {
    const key = `document ${accept.length} ${url}`;
    const cached = fresh ? undefined : (await cache()).get(key);
    if (cached?.kind === "document") return cached.document;
    const loaded = await load(url, { accept, ...asker, permit: obey });
    await keep(key, { kind: "document", document: loaded }, loaded.keepMs);
    return loaded;
  }

  /** Throws if `robots.txt` of a public host forbids the page. */
  async function obey({ url, isPrivate }: Destination, asker: NameAsker): Promise<void> {
    if (settings.robots === "ignore" || isPrivate || url.pathname === "/robots.txt") return;
    const robots = await robotsOf(url.origin, asker);
    if (robots === "") return;
    const job = { kind: "permits", input: { robots, url: url.href, agent: userAgent } };
    const isAllowed = await workers.run(job, {
      what: `read the rules of "${url.host}"`,
      signal: asker.signal,
      run: asker.run,
    });
    if (isAllowed === true) return;
    const way = "leave it, or set packs.web.robots: ignore if you may";
    const message = `Cannot fetch "${url.href}": its robots.txt forbids it: ${way}`;
    throw new PackError("blocked", message, { details: { reason: "robots" } });
  }

  async function robotsOf(origin: string, asker: NameAsker): Promise<string> {
    const key = `robots ${origin}`;
    const cached = (await cache()).get(key);
    if (cached?.kind === "robots") return cached.robots;
    const options = { accept: "text/plain, */*;q=0.5", ...asker, maxBytes: ROBOTS_BYTES };
    // Without readable rules the page itself is requested.
    const robots = await load(`${origin}/robots.txt`, options).then(
      ({ bytes }) => new TextDecoder().decode(bytes),
      () => "",
    );
    await keep(key, { kind: "robots", robots }, ROBOTS_MS);
    return robots;
  }

  async function convert(url: string, reading: Reading, options: ReadOptions) {
    const { signal, run } = options;
    const accept = reading.format === "markdown" ? ACCEPT.markdown : ACCEPT.other;
    const { bytes, ...about } = await document(url, accept, options);
    const { contentType, status, keepMs } = about;
    const input = { ...reading, contentType, url: about.url };
    const what = `read "${about.url.slice(0, 300)}"`;
    const job = { kind: "convert", input };
    const asking = { what, signal, run, advice: ADVICE };
    const converted = await workers.run<Converted>(job, { ...asking, bytes });
    return { page: { ...converted, url: about.url, contentType, status }, keepMs };
  }

  return {
    async read(url, reading, options) {
      const key = JSON.stringify(["page", url, reading]);
      const cached = options.fresh ? undefined : (await cache()).get(key);
      if (cached?.kind === "page") return cached.page;
      using _place = await places.acquire(options.signal, options.run);
      const { page, keepMs } = await convert(url, reading, options);
      await keep(key, { kind: "page", page }, keepMs);
      return page;
    },
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}

/** Makes a value at its first use. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => value ??= make();
}

/** Bytes of an entry with its key, about; counted until they are more than `most`. */
function sizeOf(entry: Cached, key: string, most: number): number {
  const around = 2 * key.length + 1_000;
  if (entry.kind === "robots") return around + 2 * entry.robots.length;
  if (entry.kind === "page") return around + 2 * sizeAsJson(entry.page, most);
  return around + entry.document.bytes.length + 2 * entry.document.url.length;
}
