/** The names that the tests of commands know. */

import type { CommandNames } from "../../../runtime/command/types.ts";
import { NameTable } from "../../../runtime/command/names.ts";

function tool(name: string, ...params: string[]) {
  return { name, key: name.replace(/[_-](.)/g, (_, mark: string) => mark.toUpperCase()), params };
}

export const NAMES: CommandNames = {
  packs: [
    {
      name: "brave",
      key: "brave",
      tools: [
        tool("web_search", "query", "count", "fresh"),
        tool("search", "query", "count", "fresh"),
        tool("news", "query_info", "query", "quality"),
        tool("odd", "user-id", "__proto__", "default", "class"),
        tool("ping"),
      ],
    },
    { name: "context7", key: "context7", tools: [tool("search", "query", "topic", "retry_after")] },
    { name: "my-pack", key: "myPack", tools: [tool("do-it", "what")] },
    {
      name: "ot",
      key: "ot",
      tools: [
        { ...tool("health"), reads: true },
        tool("config"),
        tool("result", "handle", "offset", "limit"),
        tool("packs", "pattern"),
      ],
    },
    { name: "proj", key: "proj", tools: [tool("path", "name"), tool("list")] },
    { name: "fetch", key: "fetch", tools: [tool("fetch", "url")] },
    { name: "late", key: "late", tools: [] },
    { name: "echo", key: "echo", tools: [] },
  ],
  aliases: {
    ws: "brave.web_search",
    w: "ws",
    odd: "my-pack.do-it",
    gone: "nowhere.nothing",
    lost: "brave.nothing",
    loop: "loop",
  },
  snippets: {
    wsq: {
      description: "Compare searches",
      params: { q1: {}, q2: { description: "the other" }, p: { default: "Compare" } },
      body: 'a = brave.search(query="{{ q1 }}")\nb = brave.search(query={{ q2 }})\n' +
        "`{{ p }}: ${a} ${b}`",
    },
  },
  projects: ["onetool"],
};

export const TABLE = new NameTable(NAMES);
