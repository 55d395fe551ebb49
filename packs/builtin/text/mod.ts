/** The `text` pack. */

import { createBuiltinPack } from "../kit/mod.ts";
import { createJobPlaces, createJobWorkers } from "../../jobs/workers.ts";
import type { Files } from "../kit/files.ts";
import type { Pack } from "../../types.ts";
import { compareTools } from "./compare_tools.ts";
import { encodingTools } from "./encoding_tools.ts";
import { measureTools } from "./measure_tools.ts";
import { patternTools } from "./pattern_tools.ts";
import type { TextSettings } from "./settings.ts";
import { templateTools } from "./template_tools.ts";

const DESCRIPTION = "Hashes, encodes, matches, compares, counts and fills in text";

/** Makes the pack. It works in processes, which end a pattern or template that never ends. */
export function createTextPack(
  settings: TextSettings,
  { files }: { readonly files: Files },
): Pack {
  const options = {
    module: new URL("./work/worker.ts", import.meta.url),
    memoryMb: settings.memoryMb,
    timeoutMs: settings.timeoutMs,
    advice: "give it less text",
  };
  // A template is compiled to code: its process may do nothing else.
  const workers = createJobWorkers(options);
  const fileWorkers = createJobWorkers({ ...options, readsFiles: true });
  const parts = { settings, workers, fileWorkers, files };
  const tools = [
    ...patternTools(parts),
    ...compareTools(parts),
    ...templateTools(parts),
    ...encodingTools(parts),
    ...measureTools(parts),
  ];
  return createBuiltinPack("text", tools, {
    description: DESCRIPTION,
    owns: [workers, fileWorkers],
    places: createJobPlaces(),
  });
}
