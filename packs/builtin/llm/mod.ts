/** The `llm` pack: values through a model, over any endpoint that speaks OpenAI's chat API. */

import { createJobWorkers } from "../kit/job_workers.ts";
import { createBuiltinPack } from "../kit/mod.ts";
import { createOffPack } from "../kit/off_pack.ts";
import type { Pack } from "../../types.ts";
import { isLlmReady, type LlmSettings } from "./settings.ts";
import { llmTools } from "./tools.ts";

const DESCRIPTION = "Transforms values and completes prompts with a language model";

/** Makes the pack; without an endpoint and a model it has no tools. */
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
    count: 1,
  });
  const tools = llmTools({ settings, workers, fetch });
  const dispose = async () => await workers[Symbol.asyncDispose]();
  return createBuiltinPack("llm", tools, { description: DESCRIPTION, dispose });
}
