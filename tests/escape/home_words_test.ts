/** A repository has files by the words of a server of the home folder, which mean something else. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { eachStart, type Named } from "../support/starts.ts";

/** Words behind a package that mean no file: commands, packages, models, images, hosts, settings. */
const WORDS: readonly Named[] = [
  ["npx", ["-y", "dotenv-cli", "-e", "/srv/env", "--", "npx", "-y", "acme/mcp-server"]],
  ["npx", ["-y", "-p", "cross-env", "cross-env-shell", "A=C", "npx -y @scope/server"]],
  ["npx", ["-y", "dotenv-cli", "-e", ".env.local", "--", "node", "/srv/server.mjs"]],
  ["npx", ["-y", "env-cmd", "-f", "mcp.env", "node", "/srv/server.mjs"]],
  ["uvx", ["pkg", "--model", "org/model", "--proxy", "uvx mcp/x", "example.org"]],
  ["bunx", ["pkg", "--backend=acme/server", "docker run -i mcp/memory"]],
  ["pnpm", ["dlx", "pkg", "github:acme/mcp-server", "notes.db", "--env-file=mcp.env"]],
  ["op", ["run", "--", "npx", "-y", "pkg", "acme/mcp-server", "..env", ".acme/server"]],
  ["uv", ["tool", "run", "pkg", "--config", "acme/mcp-server/x.js", "data/in"]],
];

Deno.test("files of the project decide nothing about the words of a home server", async (t) => {
  const files = [
    "acme/mcp-server/package.json",
    "acme/mcp-server/x.js",
    "github:acme/mcp-server/package.json",
    "npx -y @scope/server",
    "uvx mcp/x",
    "docker run -i mcp/memory",
    "org/model/config.json",
    ".acme/server",
    "example.org",
    ".env.local",
    "..env",
    "mcp.env",
  ];
  await eachStart(t, WORDS, {
    isHomes: true,
    files,
    check({ cwd, args }, project, [, words]) {
      assert.ok(!`${cwd}/`.startsWith(`${project}/`), cwd);
      assert.deepEqual(args, words);
    },
  });
});

Deno.test("words of a home server that begin with a dot and a slash mean the project", async (t) => {
  const words = ["pkg", ".", "..", "./data", "../data", "--root=./new", "-d=.", "./no/such"];
  await eachStart(t, [["npx", words], ["uvx", words]], {
    isHomes: true,
    check: ({ args }, project) =>
      assert.deepEqual(args, [
        "pkg",
        project,
        join(project, ".."),
        join(project, "data"),
        join(project, "../data"),
        `--root=${project}/new`,
        `-d=${project}`,
        join(project, "no/such"),
      ]),
  });
});

Deno.test("words of a project's own server mean what the project has", async (t) => {
  await eachStart(t, [["npx", ["-y", "tsx", "src/server.ts", "--root=data/in", "notes.db"]]], {
    files: ["src/server.ts"],
    check: ({ args }, project) =>
      assert.deepEqual(args, [
        "-y",
        "tsx",
        `${project}/src/server.ts`,
        `--root=${project}/data/in`,
        `${project}/notes.db`,
      ]),
  });
});
