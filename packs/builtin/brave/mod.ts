/** The `brave` pack: the Brave Search API. */

import { createBuiltinPack, createOffPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import { createBraveClient } from "./client.ts";
import { placeTools } from "./place_tools.ts";
import { searchTools } from "./search_tools.ts";
import { type BraveSettings, isBraveReady } from "./settings.ts";

const DESCRIPTION = "Searches the web, news, images, videos and places with Brave Search";

/** Makes the pack. Without a key it has no tools. */
export function createBravePack(
  settings: BraveSettings,
  deps: { readonly fetch: typeof fetch },
): Pack {
  if (!isBraveReady(settings)) {
    const way = "set packs.brave.api_key, as ${secret:BRAVE_API_KEY} or ${BRAVE_API_KEY}";
    return createOffPack("brave", { description: DESCRIPTION, way });
  }
  const parts = { settings, client: createBraveClient(settings, deps) };
  const tools = [...searchTools(parts), ...placeTools(parts)];
  return createBuiltinPack("brave", tools, { description: DESCRIPTION });
}
