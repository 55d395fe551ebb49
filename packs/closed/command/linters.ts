/** Programs that load settings at any depth: linters, beside the files that they look at, and runners of
 * the members of a workspace. */

import { unversioned } from "../../interpreters.ts";
import { runsPackage } from "../../runs_package.ts";
import { namesOf } from "../link_names.ts";
import type { ProgramPlaces, Programs } from "../scripts.ts";
import { linesIn } from "../words.ts";

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
  program: new RegExp(`(?:^|[@_.:-])(?:${names})(?:_?d)?(?:$|[@_.:-])`, "is"),
  settings: new RegExp(`^(?:${settings})$`, "is"),
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

const MANIFEST = "package\\.(?:json5?|yaml)";
/** Runners, the words by which they run what members of a workspace name, and the manifests of these. */
const MEMBERS = [
  ["npm|npx", "--?w(?:s|or\\w*)?(?:=.*)?", MANIFEST],
  [
    "pnpm|pnpx|pnx",
    "-[a-z]*[rF].*|--(?:recursive|filter(?:-prod)?)(?:=.*)?|recursive|multi",
    MANIFEST,
  ],
  ["yarn|yarnpkg", "workspaces?|foreach|wsrun", MANIFEST],
  ["bunx?", "-F.*|--(?:filter|workspaces)(?:=.*)?", MANIFEST],
  ["deno", "-r|--recursive|-f|--filter(?:=.*)?", `deno\\.jsonc?|${MANIFEST}`],
  ["turbo|lerna|lage|rush|wireit|wsrun|ultra", "", MANIFEST],
  ["nx", "", `project\\.json|${MANIFEST}`],
  ["moon", "", `moon\\.(?:ya?ml|pkl)|${MANIFEST}`],
].map(([names, options, files]) => ({
  program: new RegExp(`^(?:${names})$`, "s"),
  option: options === "" ? undefined : new RegExp(`^(?:${options})$`, "s"),
  ending: new RegExp(`^(?:${files})$`, "is"),
}));
const MEMBER_VARIABLE = /^npm_config_(?:workspaces?|include_workspace_root)=/i;

/** Adds the manifests of all members, at any depth, where a runner runs what some of them name: members
 * stand there by a name of their own. */
export function addMembers(words: readonly string[], { programs, places }: Reach): void {
  const lines = [words, ...words.filter((word) => /\s/.test(word)).flatMap(linesIn)];
  const endings = new Set(lines.flatMap(membersIn));
  for (const folder of places.allowed.flatMap(namesOf)) {
    for (const ending of endings) programs.named.push({ folder, ending });
  }
}

/** Option of a package runner that is followed by its value. */
const VALUE = /^(?:-[wpcF]|--(?:workspace|package|call|filter))$/;

/** Words of a runner: those behind `--`, or behind a package that is fetched, belong to what it runs. */
function ownWords([name = "", ...words]: readonly string[]): readonly string[] {
  const isFetched = runsPackage([name, ...words]) !== undefined;
  const end = words.findIndex((word, at) => {
    const isName = !word.startsWith("-") && !VALUE.test(words[at - 1] ?? "");
    return word === "--" || (isFetched && isName && !/^(?:exec|x|dlx)$/.test(word));
  });
  return end < 0 ? words : words.slice(0, end);
}

function membersIn(line: readonly string[]): RegExp[] {
  const names = line.map(unversioned);
  return MEMBERS.filter(({ program, option }) => {
    const at = names.findIndex((name) => program.test(name));
    if (at < 0) return false;
    return option === undefined || ownWords(line.slice(at)).some((word) => option.test(word)) ||
      line.some((word) => MEMBER_VARIABLE.test(word));
  }).map(({ ending }) => ending);
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
