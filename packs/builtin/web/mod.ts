/** The `web` pack. */

import { createBuiltinPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import type { WebDeps } from "./document.ts";
import { createPages } from "./pages.ts";
import type { WebSettings } from "./settings.ts";
import { webTools } from "./tools.ts";

const DESCRIPTION = "Fetches web pages as clean Markdown, text or HTML";

/** Makes the pack. It checks every address that it requests, and reads pages in processes with a
 * deadline. */
export function createWebPack(settings: WebSettings, deps: WebDeps): Pack {
  const pages = createPages(settings, deps);
  const tools = webTools(settings, pages);
  return createBuiltinPack("web", tools, { description: DESCRIPTION, owns: [pages] });
}
