/** Settings of the packs that come with Toolscript: the keys below `packs` in `onetool.yaml`. */

import { any, map, section } from "../rules/makers.ts";
import type { Settings } from "../rules/rule.ts";
import { BRAVE } from "./brave/settings.ts";
import { DATA } from "./data/settings.ts";
import { DB } from "./db/settings.ts";
import { FILE } from "./file/settings.ts";
import { GIT } from "./git/settings.ts";
import { GREP } from "./grep/settings.ts";
import { LLM } from "./llm/settings.ts";
import { PACKAGE } from "./package/settings.ts";
import { TEXT } from "./text/settings.ts";
import { WEB } from "./web/settings.ts";

export { postgresFiles, sqlitePath } from "./db/settings.ts";

export const PACKS = {
  ...section("Settings of packs, by name", {
    brave: BRAVE,
    data: DATA,
    db: DB,
    file: FILE,
    git: GIT,
    grep: GREP,
    llm: LLM,
    package: PACKAGE,
    text: TEXT,
    web: WEB,
  }),
  rest: map("Settings of a pack of yours, as it reads them", any("A setting")),
};

/** Settings by pack, as they are used. */
export type BuiltinSettings = Omit<Settings<typeof PACKS>, "extensions">;
