/** From a script's text to what the checker checks and the sandbox runs. */

export { findLinks, resolveImport } from "./imports.ts";
export { type LintFinding, lintProgram, type LintProgramOptions } from "./lint_program.ts";
export { parseModule } from "./parse.ts";
export { createProgramReader } from "./reader.ts";
export { wrongKey } from "./paths.ts";
export type {
  Knowledge,
  ProgramFinding,
  ProgramReader,
  ProgramSource,
  ReadResult,
  ReadyProgram,
  Source,
} from "./types.ts";
