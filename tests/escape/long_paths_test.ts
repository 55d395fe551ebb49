/** Paths with many `..` behind a long name, which Node.js resolves in quadratic time. */

import { equal, match, ok } from "node:assert/strict";
import { join, resolve } from "node:path";
import { resolvePath } from "#files";
import { longestWait, startGatewayProcess } from "./gateway_process.ts";

/** Processor time that no call may keep others waiting, on a slow machine as well. */
const LONG_MS = 1_000;
const LONG = 'const long = "x".repeat(160_000) + "/" + "a/../".repeat(40_000);';
const RULES = [
  { tool: "file.*", when: "has(args.path) && args.path.startsWith('src/')", then: "blocked" },
  { tool: "git.*", when: "has(args.file) && args.file.startsWith('src/')", then: "blocked" },
  { tool: "db.*", when: "args.connection.startsWith('sqlite:src/')", then: "blocked" },
];
/** Arguments of calls, each with a path of that kind. */
const CALLS = {
  "file.read": "{ path: long }",
  "file.move": '{ from: "a", to: `${long}` }',
  "file.list": "{ path: `~/${long}` }",
  "grep.search": '{ pattern: "a", path: `./${long}` }',
  "git.status": "{ repo: long }",
  "git.file": '{ file: "a", repo: long }',
  "git.log": "{ file: long }",
  "db.query": '{ sql: "SELECT 1", connection: `sqlite:${long}` }',
  "db.tables": "{ connection: `sqlite:///${long}` }",
  "data.parse": "{ path: long }",
  "text.hash": "{ path: `/${long}` }",
  "package.audit": "{ path: long }",
  "ot.stats": "{ output: `${long}.html` }",
};

Deno.test({
  name: "no text of a path holds the gateway up",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const [name, security] of Object.entries({ plain: {}, "with rules": { rules: RULES } })) {
      await using gateway = await startGatewayProcess({ security });
      for (const [tool, args] of Object.entries(CALLS)) {
        await t.step(`${tool}, ${name}`, async () => {
          const script = `import { tools } from "toolscript";\n${LONG}
export default await tools.${tool}(${args}).then((value: unknown) => "" + value, String);`;
          const { result, longestMs } = await longestWait(gateway, () => gateway.run(script));
          ok(longestMs < LONG_MS, `${longestMs} ms`);
          match(JSON.stringify(result), /16,384|4,096|outside the project|too long/);
        });
      }
    }
  },
});

Deno.test({
  name: "no text of a path in a repository holds the gateway up",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    await using gateway = await startGatewayProcess({});
    const long = `${"x".repeat(160_000)}/${"a/../".repeat(40_000)}`;
    const rows = {
      alternates: { "objects/info/alternates": `${long}\n` },
      "alternates, absolute": { "objects/info/alternates": `/${long}\n` },
      "alternates, in many lines": {
        "objects/info/alternates": `${long.slice(-16_000)}\n`.repeat(50),
      },
      commondir: { commondir: `${"x".repeat(30_000)}/${"a/../".repeat(6_000)}\n` },
    };
    for (const [name, files] of Object.entries(rows)) {
      await t.step(name, async () => {
        const root = join(gateway.project, name.replaceAll(/\W/g, "_"));
        const all = {
          HEAD: "ref: refs/heads/main\n",
          config: "",
          "objects/info/a": "",
          "refs/a": "",
        };
        for (const [path, text] of Object.entries({ ...all, ...files })) {
          const file = join(root, ".git", path);
          Deno.mkdirSync(join(file, ".."), { recursive: true });
          Deno.writeTextFileSync(file, text);
        }
        const script = `import { tools } from "toolscript";
export default await tools.git.status({ repo: ${JSON.stringify(root)} }).then(String, String);`;
        const { longestMs } = await longestWait(gateway, () => gateway.run(script));
        ok(longestMs < LONG_MS, `${longestMs} ms`);
      });
    }
  },
});

Deno.test({
  name: "a text that is too long to start git with is refused by its name",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using gateway = await startGatewayProcess({});
    const names = ["author", "message", "since", "until", "revision"];
    const script = `import { tools } from "toolscript";
const name = (key: string) => tools.git.log({ [key]: "x".repeat(200_000) }).then(String, String);
export default await Promise.all(${JSON.stringify(names)}.map(name));`;
    const text = JSON.stringify(await gateway.run(script));
    for (const name of names) match(text, new RegExp(`git\\.log[^,]*${name}`));
  },
});

Deno.test("a long path resolves to the same as a short one, in linear time", () => {
  const rest = "b/./c//../../d/../..".split("/");
  for (const base of ["/", "/home/a"]) {
    for (const start of ["", "/", "//", "./", "../", "../../../", "/../"]) {
      for (let at = 0; at <= rest.length; at++) {
        const text = start + rest.slice(0, at).join("/");
        const long = `${start}${"x/../".repeat(2_000)}${rest.slice(0, at).join("/")}`;
        equal(resolvePath(base, long), resolve(base, text), `${base} ${text}`);
        equal(resolvePath(base, text), resolve(base, text));
      }
    }
  }
  const begin = performance.now();
  equal(resolvePath("/a", `${"x".repeat(500_000)}/${"a/../".repeat(100_000)}..`), "/a");
  equal(resolvePath("/a", "../".repeat(300_000)), "/");
  ok(performance.now() - begin < LONG_MS);
});
