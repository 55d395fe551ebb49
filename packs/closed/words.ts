/** Words of commands that may be paths. */

import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "#base";

const MOST_CHARACTERS = 4_096;

/** Words of commands, also those inside a word that is a command itself: `sh -c "…"`. */
export function wordsOf(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => {
      const inner = text.split(/[\s"'`;|&()<>,{}\[\]$]+/);
      return text.length > MOST_CHARACTERS ? inner : [text, ...inner];
    })),
  ].filter((word) => word !== "" && word.length <= MOST_CHARACTERS && !word.includes("\0"));
}

/** Paths that a word may contain: itself, the value of an option, a `file:` URL, the part before a
 * colon (`server.py:app`). */
export function candidatesOf(word: string, home: string): string[] {
  const values = [
    word,
    word.slice(word.indexOf("=") + 1),
    ...word.startsWith("-") ? [word.slice(2), word.replace(/^-+/, "")] : [],
  ];
  const paths = values.flatMap((value) => {
    if (value.startsWith("file:")) return [pathOf(value)];
    if (/^[a-z][\w+.-]*:\/\//i.test(value)) return [];
    return [value, ...value.split(":")];
  });
  const absolute = paths.map((path) => path.startsWith("~/") ? join(home, path.slice(2)) : path);
  return [...new Set(absolute)].filter((path) => path !== "" && !path.startsWith("-"));
}

function pathOf(url: string): string {
  // The URL names another host.
  return attempt(() => fileURLToPath(url), "");
}

const MANIFESTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:npm|pnpm|yarn|bun|nx|turbo|node)$/, ["package.json", "nx.json", "turbo.json"]],
  [/^deno$/, ["deno.json", "deno.jsonc"]],
  [/^g?make$/, ["Makefile", "GNUmakefile"]],
  [/^just$/, ["justfile", ".justfile"]],
  [/^(?:go-)?task$/, ["Taskfile.yml", "Taskfile.yaml"]],
  [/^mise$/, ["mise.toml"]],
  [/^rake$/, ["Rakefile"]],
  [/^cargo$/, ["Cargo.lock", "rust-toolchain"]],
  [/^dotnet$/, ["global.json", "nuget.config", "appsettings.json"]],
  [/^gradlew?$/, ["gradlew", "gradle.lockfile"]],
  [/^mvnw?$/, ["mvnw"]],
  [/^(?:docker|podman|docker-compose)$/, [
    ...["Dockerfile", "Containerfile", "docker-bake.hcl"],
    ...["compose", "docker-compose", "compose.override", "docker-compose.override"].flatMap((
      name,
    ) => [`${name}.yaml`, `${name}.yml`]),
  ]],
];

/** Files in which the programs among the words look up their commands. */
export function manifestsOf(words: readonly string[]): string[] {
  const programs = words.map((word) => basename(word));
  return MANIFESTS.filter(([program]) => programs.some((name) => program.test(name)))
    .flatMap(([, files]) => files);
}
