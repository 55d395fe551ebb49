#!/usr/bin/env node
// Starts Toolscript with the Deno that npm installed beside it. Needs nothing but Node.js.
// The first lines run in any Node.js, so that an old one is told of.
"use strict";
const MIN_NODE = 20;
if (require.main === module && nodeProblem(process.versions.node)) {
  fail(nodeProblem(process.versions.node));
}
const { spawn } = require("node:child_process");
const { accessSync, chmodSync, constants, copyFileSync, mkdirSync, renameSync } = require(
  "node:fs",
);
const { createRequire } = require("node:module");
const { constants: { signals }, homedir } = require("node:os");
const { join } = require("node:path");
const flags = require("./deno_flags.json");

/** Packages with Deno's executable, by `process.platform` and `process.arch`. */
const TARGETS = {
  "darwin arm64": "@deno/darwin-arm64",
  "darwin x64": "@deno/darwin-x64",
  "linux arm64": "@deno/linux-arm64-glibc",
  "linux x64": "@deno/linux-x64-glibc",
  "win32 arm64": "@deno/win32-arm64",
  "win32 x64": "@deno/win32-x64",
};

/** Message about a Node.js that is too old, or undefined. */
function nodeProblem(version) {
  if (Number(version.split(".")[0]) >= MIN_NODE) return undefined;
  return "Node.js " + version + " is too old: install Node.js " + MIN_NODE + " or newer";
}

/** Name of the package with Deno for a platform. Throws where there is none. */
function denoPackage(platform, arch, isMusl) {
  const name = TARGETS[`${platform} ${arch}`];
  if (name !== undefined && !isMusl) return name;
  const system = `${platform} ${arch}${isMusl ? " with musl" : ""}`;
  const way = isMusl
    ? "use a system with glibc, such as Debian"
    : "use Linux, macOS or Windows on x64 or arm64";
  throw new Error(`Deno has no build for ${system}: ${way}`);
}

/** Path of Deno's executable, from the packages that `from` sees. Throws where it is not installed. */
function findDeno(name, platform, from) {
  const file = platform === "win32" ? "deno.exe" : "deno";
  try {
    // The platform's package is a dependency of `deno`, and may be visible from there alone.
    const deno = createRequire(createRequire(from).resolve("deno/package.json"));
    return join(deno.resolve(`${name}/package.json`), "..", file);
  } catch (_) {
    const way = "install Toolscript again, with its optional dependencies";
    throw new Error(`${name} is not installed: ${way}`);
  }
}

/** The executable, or a copy of it where npm installed it without the right to execute. */
function executable(path, version, home) {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch (_) {
    const folder = join(home, ".onetool", "cache", "starter");
    const copy = join(folder, `deno-${version}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyFileSync(path, `${copy}.${process.pid}`);
    chmodSync(`${copy}.${process.pid}`, 0o700);
    renameSync(`${copy}.${process.pid}`, copy);
    return copy;
  }
}

/** Exit code of a process, as shells give it: 128 and the number of the signal that ended it. */
function exitCode(code, signal) {
  return code === null ? 128 + (signals[signal] || 0) : code;
}

/** Starts Toolscript with these arguments in place of this process. */
function start(words) {
  try {
    startWith(words);
  } catch (error) {
    fail(error.message);
  }
}

function startWith(words) {
  const { platform, arch, env } = process;
  const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const path = findDeno(denoPackage(platform, arch, isMusl), platform, __filename);
  const { version } = createRequire(__filename)("deno/package.json");
  const deno = executable(path, version, env.HOME || homedir());
  const main = join(__dirname, "..", "main.js");
  // The program ends when this process does: it gets no signal where that is killed.
  const own = {
    // A company's authorities are in the system's store.
    DENO_TLS_CA_STORE: "mozilla,system",
    DENO_NO_UPDATE_CHECK: "1",
    ...env,
    TOOLSCRIPT_STARTER: String(process.pid),
    TOOLSCRIPT_NODE: process.execPath,
  };
  if (!isBridged(words)) return run(deno, [...flags, main, ...words], own);
  const program = { command: deno, args: [...flags, main], options: words.slice(1), env: own };
  return bridge(program, require("./bridge/facts.json"));
}

/** Serves an MCP client in this process; see `bridge/bridge.cjs`. */
function bridge(program, constants) {
  require("./bridge/bridge.cjs").bridge(program, constants);
}

/** True for `mcp`, which needs no Deno while it has a gateway; false where it prints a text. */
function isBridged(words) {
  return words[0] === "mcp" && !words.some((word) => /^(-h|-V|--help|--version)$/.test(word));
}

/** Runs a command in place of this process: its streams, its signals, its exit code. */
function run(command, args, env) {
  const child = spawn(command, args, { stdio: "inherit", env, windowsHide: true });
  // A terminal sends Ctrl-C to the child as well: its answer to it is the one that counts.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`${command} does not start: ${error.code}`));
  child.on("exit", (code, signal) => process.exit(exitCode(code, signal)));
}

function fail(message) {
  process.stderr.write(`Error: Cannot start Toolscript: ${message}\n`);
  process.exit(1);
}

if (require.main === module) start(process.argv.slice(2));

module.exports = {
  bridge,
  denoPackage,
  executable,
  exitCode,
  fail,
  findDeno,
  isBridged,
  nodeProblem,
  run,
  start,
};
