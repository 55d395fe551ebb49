/** `web.fetch`, `web.batch` and `web.links`. */

import type { JsonObject, NameAsker } from "#base";
import type { PackError } from "../../errors.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { mapEach } from "../kit/map_bounded.ts";
import { FLAG, list, object, TEXT, TEXT_OR_NULL, WHOLE } from "../kit/schemas.ts";
import type { Page, Pages } from "./pages.ts";
import type { WebSettings } from "./settings.ts";

const URL_TEXT = p.text("An http: or https: address", {
  maxLength: 8_000,
  examples: ["https://example.com/guide"],
});
const LINKS = list(object({ text: TEXT, url: TEXT }));
const PAGE = {
  url: { ...TEXT, description: "After redirects" },
  status: WHOLE,
  content_type: TEXT,
  title: TEXT_OR_NULL,
  byline: TEXT_OR_NULL,
  site: TEXT_OR_NULL,
  published: TEXT_OR_NULL,
  language: TEXT_OR_NULL,
  description: TEXT_OR_NULL,
  text: TEXT,
  total_chars: WHOLE,
  next_offset: { type: ["integer", "null"], description: "Where to read on; null at the end" },
};
const READING = {
  format: p.choice(
    "markdown and text: what the page says; html: the same, cleaned; raw: as it was sent",
    ["markdown", "text", "html", "raw"],
  ),
  main: p.flag("Only the main part; false also gives menus, headers and footers", true),
  selector: p.optional(p.text("A CSS selector: only what matches it", { maxLength: 500 })),
  images: p.flag("Keep pictures, as addresses"),
  links: p.flag("Also list the links"),
  max_chars: p.byDefault(
    p.whole("Characters to give", { minimum: 1, maximum: 10_000_000 }),
    20_000,
  ),
  fresh: p.flag("Ask the server again, whatever is kept"),
};

type PageArgs = p.ArgsOf<typeof READING> & { readonly offset?: number };

/** Makes the tools. */
export function webTools({ concurrent }: WebSettings, pages: Pages): BuiltinTool[] {
  return [fetchTool(pages), batchTool(pages, concurrent), linksTool(pages)];
}

async function readPart(
  pages: Pages,
  url: string,
  { args, signal, run }: NameAsker & { readonly args: PageArgs },
): Promise<JsonObject> {
  const { format, main, selector, images, links, max_chars, fresh, offset = 0 } = args;
  const page = await pages.read(url, { format, main, selector, images }, { fresh, signal, run });
  return { ...part(page, offset, max_chars), ...(links ? { links: page.links.map(plain) } : {}) };
}

function part(page: Page, offset: number, most: number): JsonObject {
  const { text, url, status, contentType, title, byline, site, published } = page;
  const start = wholeAt(text, offset);
  const end = Math.max(wholeAt(text, start + most), Math.min(start + 1, text.length));
  return {
    url,
    status,
    content_type: contentType,
    title,
    byline,
    site,
    published,
    language: page.language,
    description: page.description,
    text: text.slice(start, end),
    total_chars: text.length,
    next_offset: end < text.length ? end : null,
  };
}

/** Moves an offset out of a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00 && at < text.length
    ? at - 1
    : Math.min(at, text.length);
}

function plain({ text, url }: { readonly text: string; readonly url: string }): JsonObject {
  return { text, url };
}

function fetchTool(pages: Pages): BuiltinTool {
  return defineTool({
    name: "fetch",
    description: "Fetches a web page as clean Markdown: its main part with title and author, " +
      "without menus, scripts and what is hidden. JSON and other text come as they are; PDFs, " +
      "pictures and other binary files are refused. A long page comes in parts: pass next_offset " +
      "as offset to read on.",
    params: {
      url: URL_TEXT,
      ...READING,
      offset: p.byDefault(p.whole("Character to begin at", { minimum: 0 }), 0),
    },
    returns: object({ ...PAGE, links: LINKS }, ["links"]),
    examples: [
      'web.fetch(url="https://example.com").text',
      'web.fetch(url="https://example.com/api.json", format="raw").text',
    ],
    effect: "read",
    openWorld: true,
    run: (args, { signal, run }) => readPart(pages, args.url, { args, signal, run }),
  });
}

function batchTool(pages: Pages, concurrent: number): BuiltinTool {
  return defineTool({
    name: "batch",
    description: "Fetches several pages at the same time, in the order of urls. One that fails " +
      "leaves the others alone: it has ok: false and an error.",
    params: {
      urls: { ...p.texts("Addresses", { minItems: 1, maxItems: 200 }), required: true },
      ...READING,
    },
    returns: {
      type: "array",
      items: {
        type: "object",
        properties: {
          ok: FLAG,
          ...PAGE,
          links: LINKS,
          error: object({ code: TEXT, message: TEXT, retryable: FLAG }),
        },
        required: ["ok", "url"],
      },
    },
    examples: ['web.batch(urls=["https://example.com", "https://example.org"], max_chars=2000)'],
    effect: "read",
    openWorld: true,
    run: ({ urls, ...args }, { signal, run, onProgress }) => {
      const failed = (url: string, { code, message, retryable }: PackError): JsonObject => {
        return { ok: false, url, error: { code, message, retryable } };
      };
      return mapEach(urls, { concurrent, signal, onProgress, failed }, async (url) => {
        return { ok: true, ...await readPart(pages, url, { args, signal, run }) };
      });
    },
  });
}

function linksTool(pages: Pages): BuiltinTool {
  return defineTool({
    name: "links",
    description: "Lists where a page leads: every address once, in full, with the link's text",
    params: {
      url: URL_TEXT,
      main: p.flag("Only the links of the main part"),
      selector: READING.selector,
      same_site: p.flag("Only those of the same host"),
      contains: p.byDefault(
        // The time of a search grows with the product of long texts.
        p.text("Only addresses and texts with this in them, in any case", { maxLength: 250 }),
        "",
      ),
      limit: p.byDefault(p.whole("Links to give", { minimum: 1, maximum: 10_000 }), 500),
      fresh: READING.fresh,
    },
    returns: LINKS,
    examples: ['web.links(url="https://example.com", same_site=True)'],
    effect: "read",
    openWorld: true,
    run: async ({ url, main, selector, same_site, contains, limit, fresh }, { signal, run }) => {
      const reading = { format: "html", main, images: false, selector } as const;
      const page = await pages.read(url, reading, { fresh, signal, run });
      const { host } = new URL(page.url);
      const part = contains.toLowerCase();
      return page.links.filter((link) =>
        (!same_site || URL.parse(link.url)?.host === host) &&
        (part === "" || `${link.url} ${link.text}`.toLowerCase().includes(part))
      ).slice(0, limit).map(plain);
    },
  });
}
