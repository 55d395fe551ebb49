/** The `data` pack. */

import type { Files } from "../kit/files.ts";
import { createJobPlaces, createJobWorkers } from "../../jobs/workers.ts";
import { createBuiltinPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import { compareTools } from "./compare_tools.ts";
import { readTools } from "./read_tools.ts";
import type { DataSettings } from "./settings.ts";
import { shapeTools } from "./shape_tools.ts";

const DESCRIPTION = "Parses, queries, converts and compares JSON, YAML, CSV, TOML and NDJSON";

/** Makes the pack. It works in processes with limits of time and memory. */
export function createDataPack(
  settings: DataSettings,
  { files }: { readonly files: Files },
): Pack {
  const workers = createJobWorkers({
    module: new URL("./work/worker.ts", import.meta.url),
    readsFiles: true,
    memoryMb: settings.memoryMb,
    timeoutMs: settings.timeoutMs,
    advice: "give it less at once",
    maxResult: settings.maxResultBytes,
  });
  const parts = { settings, workers, files };
  const tools = [...readTools(parts), ...compareTools(parts), ...shapeTools(parts)];
  return createBuiltinPack("data", tools, {
    description: DESCRIPTION,
    owns: [workers],
    places: createJobPlaces(),
  });
}
