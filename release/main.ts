// deno-lint-ignore-file no-console -- a script for maintainers
/** `deno task release VERSION [--dry-run]`: checks, version, changelog, commit, tag and package. */

import { gt, valid } from "semver";
import { releaseChanges } from "./changelog.ts";
import { MANIFESTS, withVersion } from "./manifests.ts";

const [version = "", ...flags] = Deno.args;
const isDry = flags.includes("--dry-run");
const { default: manifest } = await import("../deno.json", { with: { type: "json" } });

if (valid(version) !== version || !gt(version, manifest.version)) {
  fail(`"${version}" is not a version above ${manifest.version}: pass one like 1.2.3`);
}
if (await output("git", "status", "--porcelain") !== "") fail("commit or stash your changes first");
if (await output("git", "branch", "--show-current") !== "main") fail("switch to main first");

const texts = new Map<string, string>();
for (const file of MANIFESTS) {
  const text = await Deno.readTextFile(file);
  texts.set(file, withVersion(text, { from: manifest.version, to: version }));
}
const today = new Date().toISOString().slice(0, 10);
const changelog = await Deno.readTextFile("CHANGELOG.md");
texts.set("CHANGELOG.md", releaseChanges(changelog, version, today));

if (isDry) {
  console.log(`Would write ${[...texts.keys()].join(", ")}, commit, tag v${version} and pack`);
  Deno.exit(0);
}
await run(Deno.execPath(), "task", "ok");
for (const [file, text] of texts) await Deno.writeTextFile(file, text);
await run("git", "commit", "--all", "--message", `Release ${version}`);
await run("git", "tag", "--annotate", `v${version}`, "--message", `Toolscript ${version}`);
await Deno.mkdir("dist", { recursive: true });
const archive = `dist/toolscript-${version}-source.tar.gz`;
await run("git", "archive", `--prefix=toolscript-${version}/`, `--output=${archive}`, "HEAD");
console.log(`Wrote ${archive}. Push with: git push --follow-tags`);

async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args }).output();
  return new TextDecoder().decode(stdout).trim();
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(command, {
    args,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) fail(`${command} ${args.join(" ")} failed`);
}

function fail(reason: string): never {
  console.error(`Cannot release: ${reason}`);
  Deno.exit(1);
}
