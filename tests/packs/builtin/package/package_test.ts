/** The `package` pack: against stand-ins that speak what the registries speak, and against the
 * registries that this machine is set to. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import { type Serve, withBuiltinPack, withServer } from "../../../support/builtin_pack.ts";

const NPM = {
  name: "tea",
  "dist-tags": { latest: "2.1.0", next: "3.0.0-rc.1" },
  versions: {
    "1.0.0": {},
    "1.4.2": { engines: { node: ">=18" } },
    "2.0.0": { deprecated: "Burns the leaves" },
    "2.1.0": {},
    "3.0.0-rc.1": {},
  },
};
/** Longer than any version. */
const TALL = `1.0.${"1".repeat(300)}`;
const JSR = {
  scope: "std",
  name: "tea",
  latest: "1.1.0",
  versions: {
    "1.0.0": {},
    "1.1.0": { createdAt: "2026-01-02T03:04:05Z" },
    "1.2.0": { yanked: true },
  },
};
const PYPI = {
  meta: { "api-version": "1.1" },
  name: "tea-pot",
  versions: ["1.0", "1.5", "2.0rc1", "1.6"],
  files: [
    { filename: "tea_pot-1.0.tar.gz", yanked: false, "requires-python": ">=3.9" },
    { filename: "tea_pot-1.5-py3-none-any.whl", "upload-time": "2026-02-03T04:05:06Z" },
    { filename: "tea_pot-1.6.tar.gz", yanked: "leaks" },
    { filename: "tea_pot-2.0rc1.tar.gz", yanked: false },
  ],
};
const PYPI_PAGE = `<!doctype html><a href="x" data-requires-python="&gt;=3.8">old-1.0.tar.gz</a><br>
<a href="y">old-1.1-py3-none-any.whl</a><a href="z" data-yanked="bad">old-1.2.tar.gz</a>`;

const serve: Serve = (request, path) => {
  switch (decodeURIComponent(path)) {
    case "/npm/tea":
    case "/npm/@leaf/tea":
      return Response.json(NPM);
    case "/npm/tall": {
      const versions = { "1.0.0": {}, [TALL]: {} };
      const time = { "1.0.0": "x".repeat(1_000_000) };
      return Response.json({ versions, time, "dist-tags": { latest: TALL } });
    }
    case "/npm/rubbish":
      return new Response("<html>");
    case "/npm/busy":
      return new Response("", { status: 429, headers: { "retry-after": "9" } });
    case "/simple/tea-pot/":
      assert.equal(request.headers.get("authorization"), `Basic ${btoa("ana:secret")}`);
      return Response.json(PYPI, {
        headers: { "content-type": "application/vnd.pypi.simple.v1+json" },
      });
    case "/simple/old/":
      return new Response(PYPI_PAGE, { headers: { "content-type": "text/html" } });
    case "/@std/tea/meta.json":
      return Response.json(JSR);
    default:
      return new Response("no", { status: 404 });
  }
};

async function withRegistries(
  work: (
    call: (tool: string, args: JsonObject) => Promise<JsonObject[]>,
    project: string,
  ) => Promise<void>,
): Promise<void> {
  await withServer(serve, async (origin) => {
    const settings = {
      registries: {
        npm: `${origin}/npm/`,
        pypi: `${origin.replace("//", "//ana:secret@")}/simple`,
        jsr: origin,
      },
    };
    await withBuiltinPack({ name: "package", settings }, async ({ call, project }) => {
      await work(async (tool, args) => await call(tool, args) as JsonObject[], project);
    });
  });
}

Deno.test("package.latest finds the newest stable version", async (t) => {
  const rows: readonly [JsonObject, JsonObject][] = [
    [{ packages: ["tea"] }, { version: "2.1.0", error: null }],
    [{ packages: ["tea"], prerelease: true }, { version: "3.0.0-rc.1", prerelease: true }],
    [{ packages: ["tea@next"] }, { version: "3.0.0-rc.1" }],
    [{ packages: ["npm:@leaf/tea@^1"] }, {
      name: "@leaf/tea",
      version: "1.4.2",
      requires: "node >=18",
    }],
    [{ packages: ["tea@2.0.0"] }, { version: "2.0.0", deprecated: "Burns the leaves" }],
    [{ packages: ["tea@^9"] }, { version: null, error: /no version is within "\^9"/ as never }],
    [{ packages: ["tea@tomorrow"] }, { error: /is not a range of versions or a tag/ as never }],
    [{ packages: ["none"] }, {
      version: null,
      error: /"none" in npm: there is no such package/ as never,
    }],
    [{ packages: ["rubbish"] }, { error: /did not answer with JSON/ as never }],
    [{ packages: ["tall"] }, { version: "1.0.0", published: "x".repeat(100) }],
    [{ packages: ["busy"] }, { error: /answered 429: try again after 9 s/ as never }],
    [{ packages: ["jsr:@std/tea"] }, { version: "1.1.0", published: "2026-01-02T03:04:05Z" }],
    [{ packages: ["@std/tea"], registry: "jsr" }, { registry: "jsr", version: "1.1.0" }],
    [{ packages: ["pypi:Tea.Pot"] }, { version: "1.5", published: "2026-02-03T04:05:06Z" }],
    [{ packages: ["tea_pot<1.5"], registry: "pypi" }, { version: "1.0", requires: "python >=3.9" }],
    [{ packages: ["tea-pot"], registry: "pypi", prerelease: true }, { version: "2.0rc1" }],
    [{ packages: ["pypi:old"] }, { version: "1.1", yanked: false }],
  ];
  await withRegistries(async (call) => {
    for (const [args, expected] of rows) {
      await t.step(JSON.stringify(args), async () => {
        const [release] = await call("latest", args);
        for (const [key, value] of Object.entries(expected)) {
          if ((value as unknown) instanceof RegExp) {
            assert.match(String(release?.[key]), value as never);
          } else assert.deepEqual(release?.[key], value, key);
        }
      });
    }
    await t.step("names that change the path of a request", async () => {
      for (const name of ["../../secret", "tea/../..", "@a/b/c", "https://x", "pypi:a/b", ""]) {
        await assert.rejects(call("latest", { packages: [name] }), { code: "invalid_arguments" });
      }
    });
    await t.step("versions", async () => {
      const versions = await call("versions", { name: "tea" });
      assert.deepEqual(versions.map(({ version }) => version), [
        "2.1.0",
        "1.4.2",
        "1.0.0",
        "2.0.0",
      ]);
    });
  });
});

Deno.test("package.audit reports how far a manifest is behind", async (t) => {
  const npm = {
    dependencies: { tea: "^1.0.0", alias: "npm:tea@2.1.0", local: "file:../x", none: "1" },
    devDependencies: { "@leaf/tea": "~2.1.0", s: "npm:tea@latest" },
  };
  const rows: readonly [string, string, readonly string[]][] = [
    ["package.json", JSON.stringify(npm), [
      "tea ^1.0.0 1.4.2 major false",
      "tea 2.1.0 2.1.0 null true",
      "none 1 null unknown false",
      "@leaf/tea ~2.1.0 2.1.0 null true",
      "tea latest 2.1.0 null true",
    ]],
    [
      "deno.jsonc",
      '{ // map\n"imports": {"a": "npm:tea@^1.4/sub", "b": "jsr:@std/tea@1.0.0", "c": "./c.ts", "d": "https://x/y.ts",}}',
      [
        "tea ^1.4 1.4.2 major false",
        "@std/tea 1.0.0 1.0.0 minor false",
      ],
    ],
    [
      "pyproject.toml",
      '[project]\ndependencies = ["tea-pot[x]>=1.0; python_version > \'3\'", "git @ git+https://x"]\n[dependency-groups]\ndev = ["Tea_Pot==1.5", {include-group = "x"}]\n[tool.poetry.dependencies]\npython = "^3"\ntea-pot = "^1.0"',
      [
        "tea-pot >=1.0 1.5 minor true",
        "Tea_Pot ==1.5 1.5 null true",
        "tea-pot >=1.0,<2 1.5 minor true",
      ],
    ],
    [
      "requirements.txt",
      "# tea\n-r other.txt\ntea-pot == 1.0 \\\n  --hash=sha256:abc # why\ntea-pot\n",
      [
        "tea-pot == 1.0 1.0 minor false",
        "tea-pot  1.5 null true",
      ],
    ],
  ];
  await withRegistries(async (call, project) => {
    for (const [file, text, expected] of rows) {
      await t.step(file, async () => {
        await Deno.writeTextFile(`${project}/${file}`, text);
        const audit = await call("audit", { path: file }) as unknown as JsonObject;
        const rated = audit.dependencies as JsonObject[];
        assert.deepEqual(
          rated.map(({ name, range, wanted: allowed, behind, in_range }) =>
            [name, range, allowed, behind, in_range].map(String).join(" ")
          ),
          expected,
        );
        const again = await call("audit", { text, outdated_only: true }) as unknown as JsonObject;
        assert.equal((again.dependencies as JsonObject[]).length, audit.outdated);
        if (file !== "deno.jsonc") assert.equal(again.manifest, audit.manifest);
      });
    }
    await t.step("an invalid manifest", async () => {
      await assert.rejects(call("audit", { text: "{", kind: "package.json" }), {
        message: /it is not JSON/,
      });
      await assert.rejects(call("audit", { path: "../x.json" }), {
        message: /outside the allowed/,
      });
      await assert.rejects(call("audit", {}), { code: "invalid_arguments" });
    });
  });
});

const OWN = {
  NPM_CONFIG_REGISTRY: "https://registry.npmjs.org",
  PIP_INDEX_URL: "https://pypi.org/simple",
};
const environment = Object.fromEntries(
  Object.entries(OWN).map(([key, url]) => [key, Deno.env.get(key) || url]),
);
const reachable = await Promise.all(
  Object.values(environment).map((url) =>
    fetch(url.replace(/\/\/[^/@]*@/, "//"), { method: "HEAD", signal: AbortSignal.timeout(5_000) })
      .then(() => true, () => false)
  ),
);

Deno.test({
  name: "package.latest asks the registries of this machine",
  ignore: reachable.includes(false),
  async fn() {
    await withBuiltinPack({ name: "package", environment }, async ({ call }) => {
      const packages = ["is-odd@^3", "pypi:six"];
      const [odd, six] = await call("latest", { packages }) as JsonObject[];
      assert.equal(odd?.error, null);
      assert.match(String(odd?.version), /^3\./);
      assert.equal(six?.error, null);
      assert.match(String(six?.version), /^\d+\.\d+/);
    });
  },
});
