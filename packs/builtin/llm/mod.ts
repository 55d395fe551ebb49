/** The `llm` pack, for any endpoint with OpenAI's chat API. */

import { createJobWorkers } from "../../jobs/workers.ts";
import { createBuiltinPack, createOffPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import { isLlmReady, type LlmSettings } from "./settings.ts";
import { llmTools } from "./tools.ts";

const DESCRIPTION = "Transforms values and completes prompts with a language model";
/** Time limit for validating an answer. */
const CHECK_MS = 10_000;

/** Makes the pack. Without an endpoint and a model it has no tools. */
export function createLlmPack(
  settings: LlmSettings,
  { fetch }: { readonly fetch: typeof globalThis.fetch },
): Pack {
  if (!isLlmReady(settings)) {
    const way =
      "set packs.llm.base_url (as https://api.openai.com/v1), packs.llm.model and, where " +
      "the endpoint wants one, packs.llm.api_key";
    return createOffPack("llm", { description: DESCRIPTION, way });
  }
  const workers = createJobWorkers({
    module: new URL("./work/worker.ts", import.meta.url),
    timeoutMs: CHECK_MS,
    advice: "use a simpler schema",
    count: 1,
  });
  const tools = llmTools({ settings, workers, fetch });
  return createBuiltinPack("llm", tools, { description: DESCRIPTION, owns: [workers] });
}
