/** What a TypeScript pack may do: what it asks for and is granted, nothing else. */

import assert from "node:assert/strict";
import { openPacks } from "../harness.ts";

const REQUESTS = `// /// script
// [permissions]
// read = ["data", "other"]
// env = ["TOOLSCRIPT_TEST_GRANTED", "HOME"]
// net = ["127.0.0.1"]
// ///
export function read(path: string): string {
  return Deno.readTextFileSync(path);
}
export function variable(name: string): string | undefined {
  return Deno.env.get(name);
}
export async function load(address: string): Promise<string> {
  return String(await import(address));
}
export async function get(url: string): Promise<string> {
  return await (await fetch(url)).text();
}
`;

Deno.test("a pack has the permissions that it asks for and the configuration grants", async (t) => {
  await using packs = await openPacks({
    project: { "asking/asking_tools.ts": REQUESTS, "asking/beside.txt": "beside" },
    settings: {
      asking: { permissions: { read: ["data/open", "/"], env: ["TOOLSCRIPT_TEST_GRANTED"] } },
    },
    environment: { ...Deno.env.toObject(), TOOLSCRIPT_TEST_GRANTED: "x", SECRET: "s" },
  });
  const { project } = packs;
  for (const path of ["data", "data/open", "elsewhere", ".onetool/run"]) {
    await Deno.mkdir(`${project}/${path}`, { recursive: true });
    await Deno.writeTextFile(`${project}/${path}/file`, path);
  }
  await Deno.writeTextFile(`${project}/.onetool/secrets.yaml`, "KEY: s3cret");
  const refused = { code: "tool_error", message: /NotCapable/ };

  await t.step("files: inside what was granted, and its own folder", async () => {
    assert.equal(
      await packs.call("asking__read", { path: `${project}/data/open/file` }),
      "data/open",
    );
    const beside = `${project}/.onetool/tools/asking/beside.txt`;
    assert.equal(await packs.call("asking__read", { path: beside }), "beside");
    for (const path of ["elsewhere/file", ".onetool/secrets.yaml", ".onetool/run/file"]) {
      await assert.rejects(packs.call("asking__read", { path: `${project}/${path}` }), refused);
    }
    await assert.rejects(packs.call("asking__read", { path: "/etc/hostname" }), refused);
  });

  await t.step("the environment is clean, also where it may be read", async () => {
    // Granted, and yet not there: what is set for the gateway is not for packs.
    assert.equal(await packs.call("asking__variable", { name: "TOOLSCRIPT_TEST_GRANTED" }), null);
    await assert.rejects(packs.call("asking__variable", { name: "SECRET" }), refused);
  });

  await t.step("the error names the missing permission and the way out", async () => {
    await assert.rejects(packs.call("asking__get", { url: "http://127.0.0.1:45678/" }), {
      message: /a pack may only what its header asks for and packs.asking.permissions grants/,
    });
    const [missing] = packs.pack("asking").findings();
    assert.equal(missing?.message, 'Not granted: net = ["127.0.0.1"], env = ["HOME"]');
    assert.equal(missing?.fix, "Grant it in packs.asking.permissions");
  });

  await t.step("imports reach no other files, hosts or packages", async () => {
    for (const address of ["file:///etc/hostname", "https://esm.sh/dayjs", "npm:left-pad@1.3.0"]) {
      await assert.rejects(packs.call("asking__load", { address }), { code: "tool_error" });
    }
  });
});

Deno.test("WRK-14 a pack without a header loads without permissions", async () => {
  await using packs = await openPacks({
    project: {
      "bare/bare_tools.ts": `
export const one = () => 1;
export const env = () => Deno.env.get("HOME");
`,
      "lacking/lacking_tools.ts":
        'import dayjs from "dayjs";\nexport const now = () => dayjs().year();\n',
    },
    settings: { bare: { permissions: true } },
  });
  assert.equal(await packs.call("bare__one"), 1);
  await assert.rejects(packs.call("bare__env"), {
    message: /a `\/\/ \/\/\/ script` header, which the file does not have/,
  });
  await assert.rejects(packs.call("lacking__now"), {
    code: "unavailable",
    message: /the file has no `\/\/ \/\/\/ script` header that names its dependencies/,
  });
});

Deno.test("config and secrets are the pack's own", async () => {
  const tools = `
import { config, secret } from "toolscript";
export const all = () => ({ config: config(), key: secret("KEY") });
export const missing = () => secret("OTHER");
`;
  await using packs = await openPacks({
    project: { "a/a_tools.ts": tools, "b/b_tools.ts": tools },
    settings: {
      a: { units: "metric", timeout: 5, secrets: { KEY: "of a" } },
      b: { secrets: { KEY: "of b" } },
    },
  });
  assert.deepEqual(await packs.call("a__all"), { config: { units: "metric" }, key: "of a" });
  assert.deepEqual(await packs.call("b__all"), { config: {}, key: "of b" });
  await assert.rejects(packs.call("a__missing"), {
    message: /No secret "OTHER": add it to packs.a.secrets in onetool.yaml/,
  });
});
