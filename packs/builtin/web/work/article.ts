/** Reads an HTML page: its main part, its metadata and its links. */

import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { JobRefused } from "../../../jobs/protocol.ts";
import type { ConvertInput, Link } from "./types.ts";
import type { PageDocument, PageElement } from "./dom.ts";
import type { About } from "./types.ts";

/** A page with more elements is read whole, because finding its main part takes too long. */
const MAX_ELEMENTS = 30_000;
const NEVER_READ =
  "script,style,noscript,template,iframe,object,embed,svg,canvas,audio,video,link,dialog:not([open])";
/** Content that a person does not see. It may hold instructions for models. */
const HIDDEN = '[hidden],[aria-hidden="true"],[style]';
const HIDING =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d]))/i;
const CHROME = "nav,header,footer,aside,form,button,[role=navigation],[role=banner]";

export interface Article {
  readonly about: About;
  readonly root: PageElement;
  /** Links of `root`, each URL once. */
  readonly links: readonly Link[];
}

/** Reads a page. Throws `JobRefused` for a selector that is invalid or matches nothing. */
export function readArticle(source: string, input: ConvertInput): Article {
  const document = parse(source);
  const own = aboutOf(document);
  absolute(document, input.url);
  clean(document);
  const part = mainPart(document, input);
  const root = part.root ?? document.body;
  return { about: { ...own, ...part.about }, root, links: linksOf(root) };
}

function parse(source: string): PageDocument {
  // The parser takes the first element of a fragment for the whole page.
  const page = /<html[\s>]/i.test(source)
    ? source
    : `<!doctype html><html><body>${source}</body></html>`;
  return (parseHTML(page) as unknown as { document: PageDocument }).document;
}

function mainPart(
  document: PageDocument,
  { main, selector }: ConvertInput,
): { root?: PageElement; about?: Partial<About> } {
  if (selector !== undefined) return { root: selected(document, selector) };
  if (!main) return {};
  const body = document.body.cloneNode(true);
  const article = articleOf(document);
  const words = article?.textContent?.trim().length ?? 0;
  // A page without an article, such as a list or a form.
  if (!article?.content || words < 140) return { root: withoutChrome(body) };
  return {
    root: article.content,
    about: Object.fromEntries(
      Object.entries({
        title: article.title || document.title,
        byline: article.byline,
        site: article.siteName,
        published: article.publishedTime,
        description: article.excerpt,
      }).flatMap(([key, value]) => value?.trim() ? [[key, plain(value)]] : []),
    ),
  };
}

function articleOf(document: PageDocument) {
  // The serializer keeps the element, so that it is not parsed again.
  const options = {
    maxElemsToParse: MAX_ELEMENTS,
    keepClasses: true, // they name the language of code
    serializer: (node: unknown) => node,
  };
  try {
    return new Readability<PageElement>(document as never, options as never).parse();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Aborting parsing")) return null;
    throw error;
  }
}

function withoutChrome(body: PageElement): PageElement {
  const left = body.cloneNode(true);
  for (const element of left.querySelectorAll(CHROME)) element.remove();
  return (left.textContent ?? "").trim() === "" ? body : left;
}

function selected(document: PageDocument, selector: string): PageElement {
  const root = document.createElement("div");
  try {
    for (const element of [...document.querySelectorAll(selector)]) {
      if (!root.contains(element)) root.append(element);
    }
  } catch {
    throw new JobRefused(`"${selector.slice(0, 200)}" is no CSS selector`);
  }
  if (root.childNodes.length > 0) return root;
  throw new JobRefused(`nothing on the page matches "${selector.slice(0, 200)}"`);
}

function aboutOf(document: PageDocument): About {
  const meta = (...names: string[]) => {
    const text = names.map((name) =>
      document.querySelector(`meta[name="${name}"],meta[property="${name}"]`)
        ?.getAttribute("content")
    ).find((content) => content?.trim());
    return text ? plain(text) : null;
  };
  const language = document.documentElement.getAttribute("lang");
  return {
    title: plain(document.title ?? "") || meta("og:title"),
    byline: meta("author", "article:author"),
    site: meta("og:site_name"),
    published: meta("article:published_time", "date"),
    language: language ? plain(language) : null,
    description: meta("description", "og:description"),
  };
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 1000);
}

/** Makes all URLs absolute and removes those that a browser would not open. */
function absolute(document: PageDocument, url: string): void {
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url);
  for (const [tag, name] of [["a", "href"], ["img", "src"]] as const) {
    for (const element of document.querySelectorAll(`${tag}[${name}]`)) {
      const target = URL.parse(element.getAttribute(name) ?? "", base ?? url);
      const goes = target && /^(?:https?|mailto|tel):$/.test(target.protocol);
      if (goes) element.setAttribute(name, target.href);
      else element.removeAttribute(name);
    }
  }
}

function clean(document: PageDocument): void {
  for (const element of document.querySelectorAll(NEVER_READ)) element.remove();
  for (const element of document.querySelectorAll(HIDDEN)) {
    const style = element.getAttribute("style");
    const hides = style === null || HIDING.test(style) || element.hasAttribute("hidden") ||
      element.getAttribute("aria-hidden") === "true";
    const isRoot = element === document.body || element === document.documentElement;
    if (hides && !isRoot) element.remove();
  }
}

function linksOf(root: PageElement): Link[] {
  const links = new Map<string, Link>();
  for (const element of root.querySelectorAll("a[href]")) {
    const url = element.getAttribute("href") ?? "";
    const text = plain(element.textContent ?? "");
    if (!/^https?:/.test(url) || (links.get(url)?.text ?? "") !== "") continue;
    links.set(url, { text, url });
  }
  return [...links.values()];
}
