/** From the text that an agent sent to a program: fence, snippets, aliases, the dialect. */

export { explain } from "./explain.ts";
export { type Fenced, stripFence } from "./fence.ts";
export { type FunctionCall, parseFunctionCall } from "./function_call.ts";
export { authorPlace, checkedPlace, checkedText } from "./map.ts";
export { checkAliases, NameTable } from "./names.ts";
export { MAX_COMMAND, readCommand } from "./read_command.ts";
export { expandSnippet, SnippetError } from "./snippet.ts";
export type {
  CommandFinding,
  CommandMap,
  CommandNames,
  CommandPack,
  CommandSource,
  CommandTool,
  MagicName,
  Place,
  Prelude,
  SnippetDefinition,
  SnippetParam,
} from "./types.ts";
