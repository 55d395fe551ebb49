/** Names that are closed in every folder, and keys to compare paths by. */

import { inPieces } from "#base";

/** Key of a path for comparisons: file systems differ in case, Unicode form, blanks and dots at the
 * end of a name, and invisible characters. Each name of the path is one name of the key. */
export function keyOf(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  const names = path.split(SEPARATOR).filter((name, at) =>
    at === 0 || (name !== "" && name !== ".")
  );
  const isLong = path.length > LONGEST_PATH;
  return names.map((name) => nameKey(name, isLong)).join("/") || "/";
}

/** Characters of a name and of a path that a file system may have. Longer ones lead to no file. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 32_767;

/** A path whose names differ from their keys in case alone. */
const PLAIN = /^(?:\/[\w.@+-]*[\w@+-])+$/;
const SEPARATOR = Deno.build.os === "windows" ? /[\\/]/ : "/";

function nameKey(name: string, isLong: boolean): string {
  const fold = (part: string) => part.normalize("NFKC").toLowerCase().normalize("NFKC");
  const plain = /^[\x21-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : (isLong || name.length > LONGEST_NAME ? inPieces(name, fold) : fold(name))
      .replace(INVISIBLE, "");
  const key = plain.replace(/::?\$\w+$/, "").replace(/(?<![. ])[. ]+$/, "") || plain || name;
  // NFKC turns `℅` into `c/o`: its slash must not divide the name.
  return key.replaceAll("/", "\\");
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** True if a path is a folder or is below it. Both are keys. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** True if a path is one of others, or is below one. All are keys. */
export function isAmong(path: string, others: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (others.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Adds the folders above keys to a set, and returns it. */
export function foldersAbove(keys: Iterable<string>, above = new Set<string>()): Set<string> {
  for (const key of keys) {
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const folder = key.slice(0, end);
      if (above.has(folder)) break;
      above.add(folder);
    }
  }
  return above;
}

export const STATE_FOLDER = ".onetool";
/** Names in a `.onetool` that programs may not read. */
export const UNREAD_STATE: ReadonlySet<string> = new Set([
  "cache",
  "credentials",
  "run",
  "stats",
  "tmp",
  "pins.json",
  "trust.json",
]);
/** Names in a `.onetool` that programs may not change, even if the configuration names the path. */
export const UNWRITTEN_STATE: ReadonlySet<string> = new Set([
  ...UNREAD_STATE,
  "config",
  "tools",
  "trash",
  ".gitignore",
]);

/** True for folders of a `.onetool` that Toolscript fills, also on behalf of programs: persons put
 * no links there. */
export function isFilled(path: string): boolean {
  return /\/\.onetool\/(?:cache|credentials|run|stats|tmp|trash)$/.test(path);
}

/** True for folders in which programs and git put any number of folders, and persons no links. */
export function isLeftOut(path: string): boolean {
  return isFilled(path) || path.endsWith("/.git/lfs");
}

/** True for secrets files, the copies that editors and people make of them, and those that `connect`
 * makes of the files of clients. */
export function isSecrets(name: string): boolean {
  return /^[.#]*secrets\.ya?ml(?:[^a-z].*)?$|\.before-toolscript$/s.test(name);
}

export function isConfiguration(name: string): boolean {
  return /^(?:onetool\.ya?ml|\.mcp\.json)$/.test(name);
}

/** True for names that are open at the root of a project although they begin with a dot. */
export function isOpenDotName(name: string): boolean {
  return /^\.(?:gitignore|gitattributes|editorconfig|env\.example|prettierrc.*|eslintrc.*)$/s
    .test(name);
}

/** Temporary name of a new file until its contents are complete. For a moment, the file has its
 * final name as well. */
export function draftName(): string {
  return `.toolscript-${crypto.randomUUID()}.tmp`;
}

/** True for the name of a draft. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

const DRAFT = /^\.toolscript-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** True for settings of agents, editors, hooks, shells, package managers and CI. They are closed at any
 * depth, because each folder may be opened as a project. */
export function startsPrograms(name: string): boolean {
  return DOT_NAMES.test(name) || PLAIN_NAMES.test(name);
}

const DOT_NAMES = new RegExp(
  `^\\.(?:${
    [
      "agents?|aider|amazonq|amp|augment|claude|cline|clinerules|codeium|codex|continue|continuerules|copilot",
      "crush|cursor|cursorrules|factory|gemini|goose|goosehints|junie|kilocode|kilocodemodes|kiro",
      "obsidian|sl|lsp|joyride|octaverc|rdbgrc|trunk|serena|mux|zencoder",
      "antigravity|codebuddy|grok|kilo|openhands|pi|superset|vibe|idx|replit|gitpod|githooks|iflow|qoder|rovodev|aiassistant",
      "autoenv|shadowenv|bsp|clj-kondo|externaltoolbuilders|formatter|ghci|iex|lvimrc|mvn|nova|ocamlinit|php-cs-fixer|solargraph",
      "mcp|opencode|qodo|qwen|roo|roomodes|roorules|rules|tabnine|trae|warp|windsurf|windsurfrules|zed",
      "code-workspace|devcontainer|dir-locals|emacs|exrc|fleet|gvimrc|helix|idea|nvim|nvimrc|run",
      "settings|sublime|theia|vim|vimrc|vs|vscode|vscode-test|zellij",
      "commitlintrc|direnv|env|envrc|husky|huskyrc|lefthook|lefthook-local|lintstagedrc|miserc|mise|overcommit",
      "pre-commit|pre-commit-config|pre-commit-hooks|rtx|simple-git-hooks|tool-versions",
      "appveyor|azure|azure-pipelines|buildkite|circleci|cirrus|drone|forgejo|gitea|github|gitlab",
      "gitlab-ci|jenkins|semaphore|teamcity|travis|woodpecker",
      "git|gitconfig|gitmodules|hg|hgrc|jj|onetool|svn",
      "bazelrc|bundle|bunfig|cargo|condarc|gemrc|npmrc|pip|pnp|pnpmfile|pnpmrc|pypirc|venv|yarn|yarnrc",
      "pylintrc|rubocop|ycm_extra_conf",
      "babelrc|c8rc|mocharc|nycrc|postcssrc|stylelintrc|swcrc|taprc|terraformrc",
      "bash\\w*|gdbinit|inputrc|irbrc|lldbinit|pdbrc|profile|pryrc|pythonrc|rdata|renviron|rprofile|zsh\\w*",
      "aws|config|docker|gnupg|ipython|jupyter|kube|local|netrc|ssh",
    ].join("|")
  })(?:[.\\-].*)?$`,
  "s",
);

const PLAIN_NAMES = new RegExp(
  `^(?:${
    [
      "(?:claude|agents?|gemini|qwen|copilot-instructions)(?:\\.(?:local|override))?\\.md",
      "\\.?crush\\.json|(?:crush|warp)\\.md|opencode\\.jsonc?|.*\\.code-workspace|mcp\\.json|lefthook(?:-local)?\\.(?:ya?ml|toml|json)",
      "codex\\.md|kilo\\.jsonc?|gemini-extension\\.json|rust-analyzer\\.toml|pylintrc",
      "(?:iflow|codebuddy|qoder)\\.md|hie\\.ya?ml|buildserver\\.json|rust-project\\.json|.*\\.sublime-project",
      "(?:firebender|conductor)\\.json|gptme\\.toml|fastagent\\.(?:config|secrets)\\.ya?ml|mcp_config\\.json|mcp\\.ya?ml",
      "prek\\.toml|hk\\.pkl|captainhook\\.json|grumphp\\.ya?ml|netlify\\.toml|wercker\\.yml",
      "(?:appveyor|buildspec|cloudbuild|bitrise|codemagic)\\.ya?ml|cloudbuild\\.json",
      "jenkinsfile(?:\\..*)?|azure-pipelines\\.ya?ml|bitbucket-pipelines\\.ya?ml",
      "flake\\.(?:nix|lock)|devbox\\.(?:json|lock)|shell\\.nix|devenv(?:\\.local)?\\.(?:nix|ya?ml|lock)",
      "(?:lint-staged|commitlint)\\.config\\.(?:[cm]?[jt]s|json|ya?ml)|replit\\.md",
      "mise|(?:mise|miserc|rtx)(?:\\..+)?\\.(?:toml|lock)",
      "claude_desktop_config\\.json|_g?vimrc|(?:microsoft\\.\\w+_)?profile\\.ps1",
      "sitecustomize\\.py|usercustomize\\.py|.*\\.pth|launch(?:agents|daemons)",
      "npmrc|pyvenv\\.cfg|conda-meta|python\\d*t?\\.zip|.*\\._pth|pybuilddir\\.txt|setup\\.local",
      "php(?:-[\\w-]+)?\\.ini",
    ].join("|")
  })$`,
  "s",
);

/** True for files that decide how programs start in their folder. */
export function decidesStart(name: string): boolean {
  return START_NAMES.test(name);
}

const START_NAMES = new RegExp(
  `^(?:${
    [
      "\\.npmrc|\\.yarnrc.*|\\.pnpmrc|\\.pnp\\..*|\\.?pnpmfile\\..*|node_modules|package\\.(?:json5?|ya?ml)",
      "package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-lock\\.yaml|pnpm-workspace\\.yaml",
      "bun\\.lockb?|bunfig\\.toml|deno\\.(?:jsonc?|lock)|import_map\\.json|(?:ts|js)config.*\\.json",
      "\\.?venv|pyproject\\.toml|uv\\.(?:toml|lock)|pip\\.conf|poetry\\.(?:lock|toml)|pipfile.*",
      "pdm\\.lock|setup\\.(?:py|cfg)|\\.env(?:\\..*)?|.*\\.pth|(?:site|user)customize\\.py",
      "nodemon\\.json|invoke\\.(?:json|ya?ml)|(?:ecosystem|pm2)\\..*|procfile.*|(?:nx|turbo|moon)\\.(?:json|ya?ml)",
      "nuget\\.config|jbang-catalog\\.json|wp-cli.*\\.yml|node\\.config\\.json|vendor",
      "(?:julia)?(?:project|manifest|localpreferences)(?:-v[\\d.]+)?\\.toml|conftest\\.py|ansible\\.cfg",
      "[\\w.-]+\\.config\\.(?:[cm]?[jt]s|json[5c]?|ya?ml|toml)|jupyter_\\w*config\\.(?:py|json)|angular\\.json",
      "wrangler\\.(?:toml|jsonc?)|serverless\\.ya?ml|nest-cli\\.json|app\\.json|\\.user\\.ini",
      "cmakelists\\.txt|tclindex|.*\\.(?:dist|egg)-info",
      "\\.python-version|\\.node-version|\\.nvmrc|\\.tool-versions|\\.prototools|\\.sdkmanrc|gemfile.*|composer\\.(?:json|lock)",
    ].join("|")
  })$`,
  "s",
);

/** True for a path, relative to a folder that programs may use, that looks like a list of packages
 * by the name of the file or of a folder. A script may install from such a list. */
export function listsPackages(way: string): boolean {
  return LISTS.test(way);
}

const LISTS =
  /(?:^|\/)(?:[^/]*(?:requirements|constraints).*|(?:reqs?|deps|dependencies)\/.*)\.(?:txt|in|pip|lock)$/s;

/** Names of git's hooks, with any ending. */
const HOOKS = new RegExp(
  `^(?:${
    [
      "(?:pre|post|p4)-[a-z-]+",
      "(?:prepare-)?commit-msg",
      "applypatch-msg",
      "update",
      "proc-receive",
      "reference-transaction",
      "push-to-checkout",
      "sendemail-validate",
      "fsmonitor-watchman",
    ].join("|")
  })(?:\\.[^.]*)?$`,
  "s",
);

/** True for a key that may be a hook in one of `folders`, which hold other files as well. */
export function isHookIn(folders: ReadonlySet<string>, key: string): boolean {
  const end = key.lastIndexOf("/");
  const name = key.slice(end + 1);
  return folders.has(key.slice(0, end)) && (!/.\./s.test(name) || HOOKS.test(name));
}

/** Names that make a folder the root of a project. */
export const ROOT_MARKS: readonly string[] = [
  ".git",
  STATE_FOLDER,
  ".mcp.json",
  "package.json",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "cargo.toml",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "mix.exs",
  "Gemfile",
  "composer.json",
  "build.gradle",
  "build.gradle.kts",
  "stack.yaml",
  "Package.swift",
];
