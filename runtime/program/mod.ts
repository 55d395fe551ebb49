/** From a script's text to what the checker checks and the sandbox runs. */

export { createProgramReader } from "./reader.ts";
export { wrongKey } from "./read.ts";
export type {
  ProgramFinding,
  ProgramReader,
  ProgramSource,
  ReadResult,
  ReadyProgram,
} from "./types.ts";
