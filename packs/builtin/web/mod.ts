/** The `web` pack. */

import { createBuiltinPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import type { WebDeps } from "./document.ts";
import { createPages } from "./pages.ts";
import type { WebSettings } from "./settings.ts";
import { webTools } from "./tools.ts";

const DESCRIPTION = "Fetches web pages as clean Markdown, text or HTML";

/** Makes the pack. What it asks for is checked address by address; what comes back is read in
 * threads with a deadline. */
export function createWebPack(settings: WebSettings, deps: WebDeps): Pack {
  const pages = createPages(settings, deps);
  const dispose = async () => await pages[Symbol.asyncDispose]();
  return createBuiltinPack("web", webTools(settings, pages), { description: DESCRIPTION, dispose });
}
