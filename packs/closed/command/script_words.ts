/** Words of a command that say where its script is. */

import { type Language, languageOfInterpreter, unversioned } from "../../interpreters.ts";

/** Options that are followed by code. */
export const CODE = /^(?:-{1,2}(?:e|p|pe|eval|print)|eval)$/;
/** Commands that are followed by what runs. */
export const COMMAND = /^(?:run|exec|start|serve|watch|dev|tool|dlx|x|cd)$/;
/** Interpreters with such commands. */
const RUNNER = /^(?:deno|bun|tsx|uv)$/;
/** Options after which no script is named, and addresses. */
export const NO_SCRIPT = /^(?:-\w*[cm]|(?:npm|jsr|https?|node):.*)$/s;

/** True for an option that is followed by code; a shell ends at errors by `-e`. */
export function isCode(word: string, language: Language | undefined): boolean {
  return language !== "shell" && CODE.test(word);
}

/** True for an interpreter with commands that are followed by what runs. */
export function isRunner(program: string): boolean {
  return RUNNER.test(unversioned(program));
}

/** Language of what an interpreter starts, and of what a shell reads by `.`. */
export function startedBy(word: string): Language | undefined {
  return /^(?:\.|source|eval)$/.test(word) ? "shell" : languageOfInterpreter(word);
}
