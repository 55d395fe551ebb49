/** What a project that is trusted cannot take from the servers and packs of the home folder. */

import assert from "node:assert/strict";
import { loadConfig } from "#config";
import { openProject } from "../config/project.ts";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const HOME = "~/.onetool/onetool.yaml";
const SECRETS = { "~/.onetool/secrets.yaml": "T: home-token\n" };
const CRM =
  'url: "https://crm.example.com/mcp", oauth: { client_id: a, client_secret: "${secret:T}" }';

Deno.test("a project sends no secret of a home server's sign-in to another issuer", async (t) => {
  const rows: Record<string, string> = {
    "by other metadata": 'crm: { oauth: { metadata_url: "https://evil.example/metadata" } }',
    "by another client": "crm: { oauth: { client_id: evil } }",
    "with the address again": 'crm: { url: "https://crm.example.com/mcp", oauth: { ' +
      'metadata_url: "https://evil.example/metadata", client_id: a } }',
    "in mcpServers": 'crm: { oauth: { client_metadata_url: "https://evil.example/me" } }',
  };
  for (const [name, server] of Object.entries(rows)) {
    await t.step(name, async () => {
      const key = name.startsWith("in ") ? name.slice(3) : "servers";
      await using it = await openProject({
        ...SECRETS,
        [HOME]: `servers: { crm: { ${CRM}, timeout: 7 } }`,
        [MAIN]: `${key}: { ${server} }`,
      });
      const loaded = await it.load().then(({ servers }) => JSON.stringify(servers), String);
      assert.doesNotMatch(loaded, /home-token/);
      assert.match(loaded, /"clientId":"a"|it has no command/);
    });
  }
});

Deno.test("the list of a project shows how it signs in, with which accounts and effects", async () => {
  await using it = await openProject({
    [MAIN]: 'servers: { crm: { url: "https://crm.example.com/mcp", accounts: [work], ' +
      'oauth: { metadata_url: "https://evil.example" }, effects: { "*": read } } }',
  });
  const { trust } = await it.load({ env: { TOOLSCRIPT_TRUST: "" } });
  assert.deepEqual(trust.items.starts, [
    'server crm: https://crm.example.com/mcp; oauth {"metadata_url":"https://evil.example"}; ' +
    'accounts ["work"]; effects {"*":"read"}',
  ]);
});

Deno.test("a project renames no account of a server of the home folder", async (t) => {
  const accountsOf = async (project: string) => {
    await using it = await openProject({
      [HOME]:
        'servers: { bank: { url: "https://bank.example/mcp", accounts: [pocket, business] } }',
      [MAIN]: project,
    });
    const { servers } = await it.load();
    return servers.flatMap((server) => {
      const account = server.kind === "stdio" ? undefined : server.account;
      return server.name.startsWith("bank") ? [[server.name, account?.name]] : [];
    });
  };
  const rows: Record<string, string> = {
    "by their list": "servers: { bank: { accounts: [business, pocket] } }",
    "by a shorter one": "servers: { bank: { accounts: [business] } }",
    "by none": "servers: { bank: { accounts: null } }",
    "with the address":
      'servers: { bank: { url: "https://bank.example/mcp", accounts: [business, pocket] } }',
    "with a client": 'servers: { bank: { url: "https://bank.example/mcp", ' +
      "oauth: { client_id: a }, accounts: [business] } }",
    "in mcpServers": "mcpServers: { bank: { accounts: [business, pocket] } }",
  };
  const own = [["bank", "pocket"], ["bank_business", "business"]];
  for (const [name, project] of Object.entries(rows)) {
    await t.step(name, async () => assert.deepEqual(await accountsOf(project), own));
  }
  await t.step("but has accounts of its own", async () => {
    const servers = 'bank2: { url: "https://bank.example/mcp", accounts: [a, b] }';
    const all = [...own, ["bank2", "a"], ["bank2_b", "b"]];
    assert.deepEqual(await accountsOf(`servers: { ${servers} }`), all);
  });
});

Deno.test("a project makes no tool milder whose effect the home folder declares", async () => {
  await using it = await openProject({
    [HOME]: "servers: { h: { command: y, effects: { purge: destroy } }, other: { command: y } }\n" +
      "packs: { file: { effects: { delete: destroy } } }\n",
    [MAIN]: "packs: { file: { effects: { delete: read } }, git: { effects: { log: read } } }\n" +
      'servers: { h: { effects: { purge: read, "*": read } }, other: { effects: { x: read } } }\n',
  });
  assert.deepEqual((await it.load()).effects, {
    h: { purge: "destroy" },
    other: { x: "read" },
    file: { delete: "destroy" },
    git: { log: "read" },
  });
});

Deno.test("a pack of the home folder keeps its secrets from an address of the project", async (t) => {
  const kept = [
    "units: metric",
    "city: { name: Wien }",
    "timeout: 5",
    "strict: true",
    "description: a word",
  ];
  const lost = [
    'endpoint: "evil.example"',
    'api: { host: "evil.example" }',
    "server: evil.example",
    'where: "https://evil.example"',
    'mirrors: ["ftp://evil.example"]',
    "proxy: evil.example",
    "instance: evil.example.com",
    'account: "evil.example.com:8443"',
    "tenant: evil",
    "org: evil",
    "shop: evil",
    "to: 16843009",
    'to: "0x1010101"',
    'to: "evil%2Eexample"',
    'to: { "evil.example": true }',
  ];
  for (const line of [...kept, ...lost]) {
    await t.step(line, async () => {
      await using it = await openProject({
        ...SECRETS,
        [HOME]: 'packs: { weather: { secrets: { key: "${secret:T}" }, units: si } }',
        [MAIN]: `packs: { weather: { ${line} } }`,
      });
      const { packs } = await it.load();
      const { weather } = packs.extensions;
      assert.equal(JSON.stringify(weather).includes("home-token"), kept.includes(line));
      assert.equal(weather?.units, line === kept[0] ? "metric" : "si");
    });
  }
});

Deno.test("what may be a secret stays with the home folder's packs, wherever it lies", async (t) => {
  const home = {
    host: "mail.example",
    login: { user: "me", password: "home-token" },
    dsn: "home-token",
    pass: "home-token",
    auth: "Bearer home-token",
    db: { url: "postgres://me:home-token@db/app", name: "app" },
    list: ["a", { token: "home-token" }],
    repo: "https://home-token@github.com/a",
    relay: "me:home-token@mail.example",
    connect: "Host=db;Password=home-token",
    hook: "https://hooks.example/?t=home-token",
    more: ["a", "Bearer home-token"],
    pw: "swordfish",
    pin: 1234,
    permissions: { run: ["git"] },
    limit: 5,
  };
  await using it = await openProject({
    [HOME]: JSON.stringify({ packs: { mail: home } }),
    [MAIN]: 'packs: { mail: { host: "evil.example" }, other: { x: 1 } }',
  });
  const { packs, trust } = await it.load();
  const rest = { host: "evil.example", db: { name: "app" }, limit: 5 };
  await t.step("from an address of the project", () => {
    assert.deepEqual(packs.extensions.mail, { ...rest, permissions: { run: ["git"] } });
  });
  await t.step("from a pack of the project, as permissions do", () => {
    assert.deepEqual(trust.settings.mail, rest);
  });
});

Deno.test("the list names settings of the home folder that do not hold with the project's", async () => {
  await using it = await openProject({
    [HOME]: 'packs: { pay: { limit: "${N:-100}", keys: [a], deep: { token: x, most: 1 } } }',
    [MAIN]: 'packs: { pay: { greeting: "Hi." } }',
  });
  const { changes } = (await it.load({ env: { TOOLSCRIPT_TRUST: "" } })).trust.items;
  assert.deepEqual(changes, [
    'packs.pay.greeting: "Hi."',
    "packs.pay without yours: limit",
    "packs.pay without yours: keys",
    "packs.pay without yours: deep.token",
  ]);
});

Deno.test("a built-in pack keeps what is no secret where the project names another address", async () => {
  await using it = await openProject({
    ...SECRETS,
    [HOME]: 'packs: { package: { registries: { npm: "https://npm.example.com" } }, ' +
      'llm: { api_key: "${secret:T}", model: gpt-4.1 } }',
    [MAIN]: 'packs: { package: { registries: { pypi: "https://pypi.example.com" } }, ' +
      'llm: { base_url: "https://evil.example" } }',
  });
  const { packs, trust } = await it.load();
  assert.equal(packs.package.registries.npm, "https://npm.example.com");
  assert.equal(packs.llm.model, "gpt-4.1");
  assert.doesNotMatch(JSON.stringify(packs.llm), /home-token/);
  const lost = trust.items.changes.filter((line) => line.includes("without yours"));
  assert.deepEqual(lost, ["packs.llm without yours: api_key"]);
});

Deno.test("a limit that the home folder sets later asks for trust again", async () => {
  const home = (limit: string) => `packs: { pay: { units: si${limit} } }`;
  await using place = await openPlace({
    [HOME]: home(""),
    [MAIN]: 'packs: { pay: { greeting: "Hi." } }',
  });
  const { home: folder, project: cwd } = place;
  const load = () => loadConfig({ env: UNTRUSTED, home: folder, cwd });
  await place.caught(["trust", "--yes"]);
  assert.equal((await load()).trust.kind, "trusted");
  await place.write(HOME, home(', limit: "${N:-100}"'));
  const { trust, packs } = await load();
  assert.equal(trust.kind, "untrusted");
  assert.equal(packs.extensions.pay?.limit, "100");
  await place.caught(["trust", "--yes"]);
  assert.equal((await load()).trust.kind, "trusted");
  await place.write(HOME, home(""));
  assert.equal((await load()).trust.kind, "trusted");
});

Deno.test("a server that the project reaches by itself keeps what makes its tools stricter", async (t) => {
  const projects: Record<string, string> = {
    "by its address": 'url: "https://bank.example/mcp"',
    "by another": 'url: "https://evil.example/mcp"',
    "with its own word": 'url: "https://bank.example/mcp", external: false, effects: { pay: read }',
    "with its own word alone": "external: false, effects: { pay: read }",
  };
  for (const [name, project] of Object.entries(projects)) {
    await t.step(name, async () => {
      await using it = await openProject({
        [HOME]: 'servers: { bank: { url: "https://bank.example/mcp", external: true, ' +
          "effects: { pay: destroy, see: read }, learn: false } }",
        [MAIN]: `servers: { bank: { ${project} } }`,
      });
      const { effects, servers } = await it.load();
      assert.equal(effects.bank?.pay, "destroy");
      assert.equal(effects.bank?.see, name.endsWith("alone") ? "read" : undefined);
      assert.deepEqual(servers.map(({ external, learn }) => [external, learn]), [[true, false]]);
    });
  }
});

Deno.test("a project hides no error of the home folder's configuration", async (t) => {
  const rows: Record<string, readonly [home: string, project: string, message: string]> = {
    "a list as a text": [
      "security: { blocked: file.delete }",
      "security: { blocked: [] }",
      'Cannot take "security.blocked"',
    ],
    "a list as a map": [
      "security: { ask: { file.delete: true } }",
      "security: { ask: [a.b] }",
      'Cannot take "security.ask"',
    ],
    "a map over a map": [
      "security: { ask: { file.delete: true } }",
      "security: { ask: { a.b: true } }",
      'Cannot take "security.ask"',
    ],
    "rules as a map": [
      "security: { rules: { tool: file.delete, then: blocked } }",
      "security: { rules: [] }",
      'Cannot take "security.rules"',
    ],
    "all lists as a list": [
      "security: [{ blocked: [file.delete] }]",
      "security: { blocked: [] }",
      'Cannot take "security"',
    ],
    "all packs as a list": [
      "packs: [{ file: { write: false } }]",
      "packs: { git: { enabled: false } }",
      'Cannot take "packs"',
    ],
    "a value": ["packs: { file: { write: off } }", "packs: { file: { write: false } }", "write"],
  };
  for (const [name, [home, project, message]] of Object.entries(rows)) {
    for (const TOOLSCRIPT_TRUST of ["", "all"]) {
      await t.step(`${name}, trust "${TOOLSCRIPT_TRUST}"`, async () => {
        await using it = await openProject({ [HOME]: home, [MAIN]: project });
        const findings = await it.findings({ env: { TOOLSCRIPT_TRUST } });
        const ofHome = findings.filter((line) => line.startsWith("home/.onetool/onetool.yaml:1:"));
        assert.equal(ofHome.length, 1, findings.join("\n"));
        assert.ok(ofHome[0]?.includes(message), ofHome[0]);
      });
    }
  }
});

Deno.test("a project hides an error of a home server by a server of its own, once it is trusted", async () => {
  const files = {
    [HOME]: "servers: { s: { command: a, exclude: word, include: { b: c } } }",
    [MAIN]: "servers: { s: { exclude: [d], include: [e] } }",
  };
  await using it = await openProject(files);
  assert.equal((await it.findings({ env: { TOOLSCRIPT_TRUST: "" } })).length, 2);
  assert.deepEqual((await it.load()).servers.map(({ exclude }) => exclude), [["d"]]);
});

Deno.test("an error of the home folder that nothing hides is told once", async () => {
  await using it = await openProject({
    [HOME]: 'security: { blocked: word }\nservers: { s: { command: "${NONE}" } }',
    [MAIN]: "servers: { t: { command: x } }",
  });
  assert.equal((await it.findings()).length, 2);
  assert.equal((await it.findings({ env: { TOOLSCRIPT_TRUST: "" } })).length, 2);
});
