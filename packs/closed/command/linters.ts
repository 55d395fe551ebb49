/** Programs that load settings beside the files that they look at, and code from these. */

import { namesOf } from "../link_names.ts";
import type { ProgramPlaces, Programs } from "../scripts.ts";

const CODE = "[cm]?[jt]s";

/** Names of such programs, as a part of a name between marks, and their settings: those that are code,
 * and data that name code by its path. */
const LINTERS = [
  ["eslint|lint-staged", `eslint\\.config\\.${CODE}|\\.eslintrc(?:\\..+)?|package\\.json`],
  [
    "prettier|pretty-quick|lint-staged",
    `prettier\\.config\\.${CODE}|\\.prettierrc(?:\\..+)?|package\\.(?:json|yaml)`,
  ],
  [
    "stylelint|lint-staged",
    `stylelint\\.config\\.${CODE}|\\.stylelintrc(?:\\..+)?|package\\.json`,
  ],
  ["oxlint|oxfmt", `ox(?:lint|fmt)\\.config\\.${CODE}|\\.oxlintrc\\.jsonc?`],
  ["markdownlint", "\\.markdownlint-cli2\\.(?:jsonc|ya?ml|[cm]js)|\\.markdownlint\\.[cm]js"],
  ["remark", "\\.remarkrc(?:\\..+)?|package\\.json"],
  ["cspell", `\\.?cspell(?:\\.config)?\\.(?:${CODE}|jsonc?|ya?ml|toml)|package\\.json`],
  ["postcss", `postcss\\.config\\.${CODE}|\\.postcssrc(?:\\..+)?|package\\.json`],
].map(([names, settings]) => ({
  program: new RegExp(`(?:^|[@_.:-])(?:${names})(?:_?d)?(?:$|[@_.:-])`, "i"),
  settings: new RegExp(`^(?:${settings})$`, "i"),
}));

interface Reach {
  readonly programs: Pick<Programs, "named">;
  readonly places: Pick<ProgramPlaces, "allowed">;
}

/** Adds the settings of the programs among words, at any depth: the files that they look at may be
 * any. */
export function addLinters(words: readonly string[], { programs, places }: Reach): void {
  const names = words.flatMap(namesIn);
  for (const { program, settings } of LINTERS) {
    if (!names.some((name) => program.test(name))) continue;
    for (const folder of places.allowed.flatMap(namesOf)) {
      programs.named.push({ folder, ending: settings });
    }
  }
}

/** Names of a word that may be a program or a package: the last of a path, all of a scope and behind
 * `node_modules`. */
function namesIn(word: string): string[] {
  const value = word.slice(word.lastIndexOf("=") + 1);
  const path = value.split(/[\\/]/);
  if (/^(?:npm:)?@/.test(value)) return path;
  const packages = path.lastIndexOf("node_modules");
  return path.slice(packages < 0 ? -1 : packages);
}
