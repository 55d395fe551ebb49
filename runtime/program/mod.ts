/** From a script's text to what the checker checks and the sandbox runs. */

export { findLinks, resolveImport } from "../syntax/imports.ts";
export { type LintFinding, lintProgram, type LintProgramOptions } from "./lint_program.ts";
export { parseModule } from "../syntax/parse.ts";
export { createProgramReader } from "./program_reader.ts";
export { wrongKey } from "../syntax/paths.ts";
export type {
  Knowledge,
  ProgramFinding,
  ProgramReader,
  ProgramSource,
  ReadResult,
  ReadyProgram,
  Source,
} from "./types.ts";
