/** Converts a page to Markdown, text or clean HTML. */

import { JobRefused } from "../../../jobs/protocol.ts";
import { decode, isBinary } from "./charset.ts";
import type { About, ConvertInput, Link } from "./types.ts";
import type { PageElement } from "./dom.ts";

export interface Converted extends About {
  readonly text: string;
  readonly links: readonly Link[];
}

const NOTHING: About = {
  title: null,
  byline: null,
  site: null,
  published: null,
  language: null,
  description: null,
};

/** Converts HTML; other text stays as it is. Throws `JobRefused`. */
export function convert(input: ConvertInput): Converted | Promise<() => Converted> {
  const { contentType, format, selector } = input;
  const bytes = new Uint8Array(input.bytes);
  if (isBinary(bytes)) {
    throw new JobRefused("it is no text: download it with a program of yours instead");
  }
  const source = decode(bytes, contentType);
  if (format === "raw" || !isHtml(source, contentType)) {
    if (selector === undefined) return { ...NOTHING, text: source, links: [] };
    throw new JobRefused(`a selector needs HTML and format "markdown", "text" or "html"`);
  }
  return prepare(source, input);
}

async function prepare(source: string, input: ConvertInput): Promise<() => Converted> {
  const { readArticle } = await import("./article.ts");
  const write = await writerOf(input);
  return () => {
    const { about, root, links } = readArticle(source, input);
    return { ...about, text: write(root), links };
  };
}

async function writerOf(
  { format, images }: ConvertInput,
): Promise<(root: PageElement) => string> {
  if (format === "html") return (root) => root.innerHTML.trim();
  const { toMarkdown, toText } = await import("./markdown.ts");
  if (format === "text") return (root) => toText(root.innerHTML);
  return (root) => toMarkdown(root.innerHTML, images);
}

function isHtml(source: string, contentType: string): boolean {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (essence === "text/html" || essence === "application/xhtml+xml") return true;
  return essence === "" && /^\s*(?:<!doctype html|<html\b)/i.test(source);
}
