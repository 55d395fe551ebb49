/** The `llm` pack. */

export { createLlmPack } from "./pack.ts";
