/** Parts to write built-in packs with. */

export { type FailedCall, systemPhrase } from "./failure.ts";
export { findOnPath, type PathOptions } from "./find_on_path.ts";
export {
  checkLength,
  createFolders,
  type FolderOptions,
  type Folders,
  type Place,
} from "./folders.ts";
export type { Moves } from "./moves.ts";
export * from "./params.ts";
export {
  type BuiltinPackOptions,
  type BuiltinTool,
  type Caller,
  createBuiltinPack,
  createOffPack,
  defineTool,
  type ToolContext,
  type ToolDefinition,
  whileNothingMoves,
} from "./tool.ts";
