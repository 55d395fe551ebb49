/** The starter of the npm package, as a function of the platform. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@babel/parser";
import starter from "../../npm/starter.cjs";

const { denoPackage, executable, exitCode, findDeno, isBridged, nodeProblem } = starter;

Deno.test("denoPackage() names the package of each platform", () => {
  const names = [
    ["linux", "x64", "@deno/linux-x64-glibc"],
    ["linux", "arm64", "@deno/linux-arm64-glibc"],
    ["darwin", "arm64", "@deno/darwin-arm64"],
    ["win32", "x64", "@deno/win32-x64"],
  ];
  for (const [platform, arch, name] of names) {
    assert.equal(denoPackage(platform, arch, false), name);
  }
});

Deno.test("denoPackage() names a way out where Deno has no build", () => {
  assert.throws(() => denoPackage("linux", "x64", true), /linux x64 with musl: use .*Debian/);
  assert.throws(() => denoPackage("freebsd", "x64", false), /freebsd x64: use Linux, macOS/);
});

Deno.test("findDeno() finds the executable that only the package deno sees", async () => {
  const root = await Deno.makeTempDir({ prefix: "a folder with blanks " });
  try {
    const deno = join(root, "node_modules", "deno");
    const target = join(deno, "node_modules", "@deno", "win32-x64");
    await Deno.mkdir(target, { recursive: true });
    for (const folder of [deno, target]) {
      await Deno.writeTextFile(join(folder, "package.json"), "{}");
    }
    const from = join(root, "node_modules", "toolscript", "npm", "starter.cjs");
    assert.equal(findDeno("@deno/win32-x64", "win32", from), join(target, "deno.exe"));
    assert.throws(
      () => findDeno("@deno/darwin-x64", "darwin", from),
      /@deno\/darwin-x64 is not installed: install Toolscript again/,
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("executable() copies a file that cannot be executed in its place", async () => {
  const root = await Deno.makeTempDir();
  try {
    const path = join(root, "deno");
    await Deno.writeTextFile(path, "#!/bin/sh\necho started\n", { mode: 0o644 });
    const copy = executable(path, "1.2.3", root);
    assert.equal(copy, join(root, ".onetool", "cache", "starter", "deno-1.2.3"));
    const { stdout } = await new Deno.Command(copy).output();
    assert.equal(new TextDecoder().decode(stdout), "started\n");
    await Deno.chmod(path, 0o755);
    assert.equal(executable(path, "1.2.3", root), path);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("exitCode() is that of the process, or of its signal as shells give it", () => {
  assert.equal(exitCode(3, null), 3);
  assert.equal(exitCode(null, "SIGKILL"), 137);
  assert.equal(exitCode(null, "SIGTERM"), 143);
});

Deno.test("isBridged() is true for an MCP client, which needs no Deno of its own", () => {
  for (const words of [["mcp"], ["mcp", "--project", "x"]]) assert.ok(isBridged(words));
  for (const words of [[], ["gateway", "start"], ["mcp", "--help"], ["mcp", "-V"]]) {
    assert.ok(!isBridged(words));
  }
});

Deno.test("nodeProblem() tells of a Node.js below the version of the package, in one line", async () => {
  for (const version of ["20.0.0", "22.11.0"]) assert.equal(nodeProblem(version), undefined);
  assert.match(
    nodeProblem("18.20.4") ?? "",
    /^Node\.js 18\.20\.4 is too old: install Node\.js 20 or newer$/,
  );
  const root = await Deno.makeTempDir();
  try {
    const old = join(root, "old.cjs");
    const versions = "{ value: { ...process.versions, node: '12.22.0' } }";
    await Deno.writeTextFile(old, `Object.defineProperty(process, "versions", ${versions});`);
    const file = fileURLToPath(new URL("../../npm/starter.cjs", import.meta.url));
    const args = ["--require", old, file, "--version"];
    const { code, stdout, stderr } = await new Deno.Command("node", { args }).output();
    assert.deepEqual([code, stdout.length], [1, 0]);
    assert.match(
      new TextDecoder().decode(stderr),
      /^Error: Cannot start Toolscript: .*too old.*\n$/,
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the starter parses in the Node.js of 2018, so that an old one can tell", async () => {
  const text = await Deno.readTextFile(new URL("../../npm/starter.cjs", import.meta.url));
  const newer = ["OptionalMemberExpression", "OptionalCallExpression", "BigIntLiteral"];
  const nodes: string[] = [];
  const file = parse(text, { sourceType: "script" });
  JSON.stringify(file.program, (_, value) => {
    const isNewer = newer.includes(value?.type) || value?.operator === "??" ||
      (value?.type === "CatchClause" && value.param === null);
    if (isNewer) nodes.push(value.type);
    return value;
  });
  assert.deepEqual(nodes, []);
});
