/** Reads the text of a program into modules for the checker and the sandbox. */

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
  ReaderResult,
  ReadyProgram,
  Source,
} from "./types.ts";
