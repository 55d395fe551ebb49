/** Converts HTML to Markdown and to plain text. */

// @ts-types="./turndown_gfm.d.ts"
import { gfm } from "@joplin/turndown-plugin-gfm";
// @ts-types="@types/turndown"
import TurndownService from "turndown";
import type { PageElement } from "./dom.ts";

/** Converts HTML to Markdown, with or without images. */
export function toMarkdown(html: string, images: boolean): string {
  const service = serviceOf();
  service.addRule("images", {
    filter: "img",
    replacement: (_, node) => images ? image(element(node)) : "",
  });
  return tidy(service.turndown(html));
}

/** Converts HTML to plain text. */
export function toText(html: string): string {
  const service = serviceOf();
  service.escape = (text) => text;
  service.addRule("bare", {
    filter: ["a", "em", "i", "strong", "b", "code", "del", "s" as "strong"],
    replacement: (content) => content,
  });
  service.addRule("no images", { filter: "img", replacement: () => "" });
  service.addRule("bare headings", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content) => `\n\n${content}\n\n`,
  });
  return tidy(service.turndown(html));
}

function serviceOf(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.use(gfm);
  service.addRule("code blocks", {
    filter: (node) => node.nodeName === "PRE",
    replacement: (_, node) => codeBlock(element(node)),
  });
  service.addRule("list items", {
    filter: "li",
    replacement: (content, node) => listItem(content.trim(), element(node)),
  });
  service.addRule("links without text", {
    filter: (node) => node.nodeName === "A" && (node.textContent ?? "").trim() === "",
    replacement: (content) => content.trim() === "" ? "" : content,
  });
  return service;
}

/** Writes a list item with one space after its mark, where the library would pad to four columns. */
function listItem(content: string, node: PageElement): string {
  const list = node.parentNode;
  const items = [...list?.childNodes ?? []].filter(({ nodeName }) => nodeName === "LI");
  const first = Number(list?.getAttribute("start") ?? 1) || 1;
  const at = items.findIndex((item) => item === node);
  const mark = list?.nodeName === "OL" ? `${first + at}. ` : "- ";
  const lines = content.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
  return `${mark}${lines}${at < items.length - 1 ? "\n" : ""}`;
}

/** Writes a code block. Its fence is longer than any in the code, its language comes from a class. */
function codeBlock(node: PageElement): string {
  const code = (node.textContent ?? "").replace(/\n+$/, "").replace(/^\n+/, "");
  const classes = [node, node.querySelector("code")]
    .map((element) => element?.getAttribute("class") ?? "").join(" ");
  const language = /\b(?:language|lang|highlight-source|brush:)-?\s?(?<name>[\w+#-]+)/.exec(
    classes,
  );
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}${language?.groups?.name ?? ""}\n${code}\n${fence}\n\n`;
}

function element(node: unknown): PageElement {
  return node as PageElement;
}

function image(node: PageElement): string {
  const source = node.getAttribute("src");
  if (!source) return "";
  const alt = (node.getAttribute("alt") ?? "").replace(/[[\]\s]+/g, " ").trim();
  return `![${alt}](<${source.replace(/[<>]/g, encodeURIComponent)}>)`;
}

function tidy(text: string): string {
  return text.replace(/[ \t\u00a0]+$/gm, "").replace(/\n{3,}/g, "\n\n").trim();
}
