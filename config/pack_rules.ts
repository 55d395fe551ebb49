/** The keys below `packs` in `onetool.yaml`: one table for each pack that comes with Toolscript. */

import { BRAVE } from "./packs/brave.ts";
import { DATA } from "./packs/data.ts";
import { DB } from "./packs/db.ts";
import { FILE } from "./packs/file.ts";
import { GIT } from "./packs/git.ts";
import { GREP } from "./packs/grep.ts";
import { LLM } from "./packs/llm.ts";
import { PACKAGE } from "./packs/package.ts";
import { TEXT } from "./packs/text.ts";
import { WEB } from "./packs/web.ts";
import type { ObjectRule } from "./rule.ts";

export const PACKS = {
  kind: "object",
  about: "Settings of packs, by name",
  keys: {
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
  },
  rest: {
    kind: "map",
    about: "Settings of a pack of yours, as it wants them",
    values: { kind: "any", about: "A setting" },
  },
} as const satisfies ObjectRule;
