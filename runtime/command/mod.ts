/** From the text that an agent sent to a program: fence, snippets, aliases, the dialect. */

export { explain } from "./explain.ts";
export { stripFence } from "./fence.ts";
export { parseFunctionCall } from "./function_call.ts";
export { authorPlace } from "./map.ts";
export { NameTable } from "./names.ts";
export { expandSnippet, SnippetError } from "./snippet.ts";
export type { CommandFinding, CommandNames, CommandSource, SnippetDefinition } from "./types.ts";
