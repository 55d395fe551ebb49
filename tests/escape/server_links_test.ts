/** Links of a project on the way to what the words of a server name. */

import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { openGateway } from "../support/gateway.ts";

const RUNNER = '#!/bin/sh\ntouch "$OUT"\n';

interface Case {
  readonly name?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isHomes?: boolean;
  /** Links by their names; `H` is the home folder, and in words `P` the project, also as `~P`. */
  readonly links?: Readonly<Record<string, string>>;
}

/** The error of a call, and whether the server was started. */
async function startOf({ name = "npx", args, cwd, env, isHomes = true, links = {} }: Case) {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const [home, project, out] = ["home", "project", "out"].map((name) => join(folder, name));
  assert.ok(home && project && out);
  for (const path of [join(home, ".onetool"), join(home, "keys"), join(project, "src/in")]) {
    await Deno.mkdir(path, { recursive: true });
  }
  for (const name of ["server.js", "id"]) await Deno.writeTextFile(join(home, "keys", name), "");
  const command = join(folder, name);
  await Deno.writeTextFile(command, RUNNER, { mode: 0o755 });
  for (const [name, to] of Object.entries(links)) {
    await Deno.mkdir(dirname(join(project, name)), { recursive: true });
    await Deno.symlink(to.replace(/^H/, home), join(project, name));
  }
  const tilde = `~/${relative(Deno.env.get("HOME") ?? "/", project)}/`;
  const own = (text: string) => text.replace(/^~P\//, tilde).replace(/P\//g, `${project}/`);
  const variables = Object.entries(env ?? {}).map(([name, text]) => [name, own(text)]);
  const it = {
    command,
    args: args.map(own),
    env: { OUT: out, ...Object.fromEntries(variables) },
    ...cwd !== undefined && { cwd },
  };
  const servers = { it };
  const text = JSON.stringify({ servers: isHomes ? servers : {} });
  await Deno.writeTextFile(join(home, ".onetool/onetool.yaml"), text);
  try {
    await using gateway = await openGateway(isHomes ? {} : { servers }, { home, project });
    const { error } = await (await gateway.post("/tools/it__x", {})).json();
    const ran = await Deno.stat(out).then(() => true, () => false);
    return { message: `${error?.message}`, ran };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const OUT = { docs: "H/keys" };
const DEEP = { "src/docs": "H/keys" };
const SPACED = { "src/my docs": "H/keys", "src/my (docs)": "H/keys" };
const DEEPER = { "src/in/docs": "H/keys" };
const REFUSED: readonly Case[] = [
  { args: ["-y", "server-filesystem", "./docs"], links: OUT },
  { args: ["-y", "server-filesystem", "--root=./docs/in"], links: OUT },
  { args: ["-y", "server-filesystem", "./src/../docs"], links: OUT },
  { args: ["-y", "server-filesystem", "./docs"], links: { docs: "other", other: "H" } },
  { args: ["-y", "server-filesystem", "./docs"], links: { docs: "H/no/such" } },
  { args: ["-y", "server-filesystem", "./docs"], links: { docs: "../home" } },
  { args: ["-y", "server-filesystem", "./docs/x"], links: { "docs": "src", "src/x": "H/keys" } },
  { name: "deno", args: ["run", "--allow-read=./docs", "/srv/d.ts"], links: OUT },
  { name: "deno", args: ["run", "--allow-write=src,docs", "/srv/d.ts"], links: OUT },
  { name: "node", args: ["/srv/server.js", "./docs"], links: OUT },
  { name: "docker", args: ["run", "-v", "./docs:/docs", "image"], links: OUT },
  { name: "podman", args: ["run", "--mount=type=bind,src=docs,dst=/d", "image"], links: OUT },
  { name: "node", args: ["/srv/server.js"], cwd: "./docs", links: OUT },
  { name: "node", args: ["/srv/server.js", "--root", "docs"], cwd: ".", links: OUT },
  { args: ["-y", "server-filesystem", "./docs"], isHomes: false, links: OUT },
  { args: ["-y", "server-filesystem", "."], cwd: "docs", isHomes: false, links: OUT },
  { args: ["-y", "server-filesystem", "./docs"], cwd: ".", isHomes: false, links: OUT },
  { name: "docker", args: ["run", "-v", "./docs:/d", "image"], isHomes: false, links: OUT },
  { args: ["-y", "server-filesystem", "P/docs"], links: OUT },
  { args: ["-y", "server-filesystem", "file://P/docs"], links: OUT },
  { args: ["-y", "server-filesystem", "~P/docs"], links: OUT },
  { name: "node", args: ["/srv/server.js", "--dirs=./docs,./src"], links: OUT },
  { name: "node", args: ["/srv/server.js", "--dirs", "./src;P/docs"], links: OUT },
  { name: "node", args: ["/srv/server.js", '{"root":"P/docs"}'], links: OUT },
  { name: "node", args: ["/srv/server.js"], env: { DATA: "P/docs/memory.json" }, links: OUT },
  { name: "deno", args: ["run", "-R=./docs", "/srv/d.ts"], links: OUT },
  { name: "docker", args: ["run", "-v./docs:/docs", "image"], links: OUT },
  { name: "docker", args: ["run", "-vP/docs:/docs", "image"], links: OUT },
  { args: ["-y", "server-filesystem", "P/docs"], isHomes: false, links: OUT },
  { args: ["-y", "server-filesystem", "docs"], cwd: ".", isHomes: false, links: OUT },
  { args: ["-y", "pkg", "--dirs=./src,./docs"], isHomes: false, cwd: ".", links: OUT },
  { args: ["-y", "pkg", "--dirs=./docs,./src"], isHomes: false, links: OUT },
  { args: ["-y", "pkg"], env: { DATA: "P/docs" }, isHomes: false, links: OUT },
  { args: ["-y", "server-filesystem", "P/docs/.."], links: OUT },
  { args: ["-y", "server-filesystem", "./docs"], links: { Docs: "H/keys" } },
  { args: ["-y", "server-filesystem", "./e\u0301t\u00e9"], links: { "\u00e9te\u0301": "H" } },
  { args: ["-y", "pkg", "--dirs=./in, (it)=1/docs,./data"], links: { "in, (it)=1/docs": "H" } },
  { args: ["-y", "server-filesystem", "./my docs"], links: { "my docs": "H/keys" } },
  { name: "docker", args: ["run", "-v", "./my docs:/d", "i"], links: { "my docs": "H/keys" } },
  { args: ["-y", "server-filesystem", "./a/docs"], links: { a: "src", "src/docs": "H/keys" } },
  { name: "node", args: ["./docs", "/srv/server.js"], links: OUT },
  { name: "docker", args: ["run", "-i", "image", "docs"], links: OUT },
  { name: "env", args: ["A=1", "docker", "run", "-v", "./docs:/docs", "image"], links: OUT },
  { name: "sh", args: ["-c", "exec npx -y pkg ./docs"], isHomes: false, links: OUT },
  { name: "sh", args: ["-c", 'exec npx -y pkg "$PWD/docs"|cat'], cwd: ".", links: OUT },
  { name: "sh", args: ["-c", "cd docs&& exec npx -y pkg ."], cwd: ".", links: OUT },
  { name: "sh", args: ["-c", "cd src && exec pkg ./docs"], cwd: ".", links: DEEP },
  { name: "sh", args: ["-c", "cd ./src;cd in&&exec pkg docs/id"], isHomes: false, links: DEEPER },
  { name: "make", args: ["-Cdocs", "serve"], cwd: ".", links: OUT },
  { name: "tar", args: ["-xvdocs/sub"], cwd: ".", links: OUT },
  { name: "server", args: ["-d.docs"], cwd: ".", links: { ".docs": "H/keys" } },
  { name: "env", args: ["-C", "src", "server", "-ddocs"], cwd: ".", links: DEEP },
  { name: "sh", args: ["-c", 'cd src && exec x "my docs"'], cwd: ".", links: SPACED },
  { name: "sh", args: ["-c", 'cd src && exec x "my (docs)/a"'], cwd: ".", links: SPACED },
  { name: "env", args: ["-C", "src", "pkg", "./docs"], isHomes: false, links: DEEP },
  { args: ["-y", "pkg", "./docs.js"], isHomes: false, links: { "docs.js": "H/keys/id" } },
  { args: ["-y", "pkg", "./docs.js"], isHomes: false, links: { "docs.js": "H/no.js" } },
  { name: "timeout", args: ["900", "npx", "-y", "pkg", "./docs"], isHomes: false, links: OUT },
  {
    name: "nice",
    args: ["-n", "5", "npx", "pkg", "@./docs", "./docs/x"],
    isHomes: false,
    links: OUT,
  },
  { name: "deno", args: ["run", "-RW=./docs", "/srv/d.ts"], isHomes: false, links: OUT },
  { name: "docker", args: ["run", "-vP/docs:/docs", "image"], isHomes: false, links: OUT },
  { name: "env", args: ["docker", "run", "-v./docs:/d", "i"], isHomes: false, links: OUT },
];
const STARTED: readonly Case[] = [
  { args: ["-y", "server-filesystem", "./docs"] },
  { args: ["-y", "server-filesystem", "."], links: OUT },
  { args: ["-y", "server-filesystem", "./docs"], links: { docs: "src" } },
  { args: ["-y", "server-filesystem", "docs"], links: OUT },
  { args: ["-y", "server-filesystem", "../home"], links: OUT },
  { args: ["-y", "server-filesystem", "./src"], cwd: ".", links: OUT },
  { args: ["-y", "server-filesystem", "P/src", "P/docs"], links: { docs: "src" } },
  { name: "node", args: ["/srv/server.js"], env: { DATA: "docs/a.json" }, links: OUT },
  { name: "node", args: ["P/docs/server.js"], isHomes: false, links: OUT },
  { name: "node", args: ["/srv/a.js", "./mydocs", "docs-1"], isHomes: false, links: OUT },
  { name: "server", args: ["--my-docs", "docs.old"], cwd: ".", links: OUT },
  { args: ["-y", "pkg", "./loop/loop"], links: { loop: "." } },
  { name: "node", args: ["./docs/server.js"], isHomes: false, links: OUT },
  { args: ["-y", "pkg", "--python=./python"], isHomes: false, links: { python: "/bin/sh" } },
];

function nameOf({ name = "npx", args, cwd, env, isHomes = true, links = {} }: Case): string {
  const place = cwd === undefined ? "" : ` in ${cwd}`;
  const whose = isHomes ? "home" : "own";
  return `${whose}: ${name} ${args.join(" ")}${place}${env ? ` with ${env.DATA}` : ""}, ${
    JSON.stringify(links)
  }`;
}

Deno.test("no server starts with a path that a link of the project leads out of it", async (t) => {
  for (const row of REFUSED) {
    await t.step(nameOf(row), async () => {
      const { message, ran } = await startOf(row);
      assert.equal(ran, false);
      assert.match(
        message,
        /"(?:a|[Dd]ocs|\u00e9te\u0301|my docs|other|src\/x|src\/docs|src\/my \(?docs\)?|src\/in\/docs|\.?docs(?:\.js)?|in, \(it\)=1\/docs)" is a link of the project, which does not count: name what it/,
      );
    });
  }
});

Deno.test("a server starts where its paths stay in the project, or no link leads them", async (t) => {
  for (const row of STARTED) {
    await t.step(nameOf(row), async () => {
      const { message, ran } = await startOf(row);
      assert.equal(ran, true, message);
    });
  }
});
