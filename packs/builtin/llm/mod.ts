/** The `llm` pack. */

export { createLlmPack } from "./pack.ts";
export type { LlmSettings } from "./settings.ts";
