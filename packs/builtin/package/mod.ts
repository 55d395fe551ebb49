/** The `package` pack. */

import type { Files } from "../kit/files.ts";
import { createBuiltinPack } from "../kit/mod.ts";
import type { Pack } from "../../types.ts";
import { createReleaseSource, type ReleaseDeps } from "./releases.ts";
import type { PackageSettings } from "./settings.ts";
import { packageTools } from "./tools.ts";

const DESCRIPTION = "Newest versions of npm, PyPI and JSR packages; what a manifest is behind";

/** Makes the pack. It reads the lists of registries and installs nothing. */
export function createPackagePack(
  settings: PackageSettings,
  deps: ReleaseDeps & { readonly files: Files },
): Pack {
  const source = createReleaseSource(settings, deps);
  const tools = packageTools({ settings, source, files: deps.files });
  return createBuiltinPack("package", tools, { description: DESCRIPTION, owns: [source] });
}
