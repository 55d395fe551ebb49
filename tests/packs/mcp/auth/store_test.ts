/** Credentials on disk: encrypted, for the user alone, whole or not at all. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createCredentialStore, type CredentialStore } from "#packs/auth";

const ID = { server: "crm", url: "https://crm.example.com/mcp", account: "" };
const SECRET = "rt-0123456789";
const CREDENTIAL = { ...ID, tokens: { access: "at-9876", refresh: SECRET, at: 1 } };

interface Opened extends AsyncDisposable {
  readonly store: CredentialStore;
  readonly home: string;
  readonly folder: string;
  readonly logged: string[];
  files(): string[];
  again(): CredentialStore;
}

async function openStore(keychain?: () => Promise<Keychain | undefined>): Promise<Opened> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const logged: string[] = [];
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  const again = () => createCredentialStore({ home, log, ...(keychain ? { keychain } : {}) });
  const folder = join(home, ".onetool", "credentials");
  return {
    home,
    folder,
    logged,
    again,
    store: again(),
    files: () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

interface Keychain {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

Deno.test("a credential is encrypted, for the user alone, and read by another process", async () => {
  await using opened = await openStore();
  await opened.store.write(CREDENTIAL);
  assert.deepEqual(await opened.again().read(ID), CREDENTIAL);
  assert.equal(Number((await Deno.stat(opened.folder)).mode) & 0o777, 0o700);
  for (const name of opened.files()) {
    const file = join(opened.folder, name);
    assert.equal(Number((await Deno.stat(file)).mode) & 0o777, 0o600, name);
    const text = await Deno.readTextFile(file);
    for (const clear of [SECRET, "at-9876", "example.com"]) assert.ok(!text.includes(clear), name);
  }
  assert.equal(opened.files().filter((name) => name.endsWith(".json")).length, 1);
});

Deno.test("a damaged file counts as no sign-in, and the next one replaces it", async (t) => {
  const damages: Record<string, (text: string) => string> = {
    "empty": () => "",
    "cut off": (text) => text.slice(0, text.length / 2),
    "no JSON": () => "\u0000\u0001",
    "another shape": () => "[1]",
    "one bit": (text) => text.replace(/"data":"(.)/, (_, c) => `"data":"${c === "A" ? "B" : "A"}`),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await t.step(name, async () => {
      await using opened = await openStore();
      await opened.store.write(CREDENTIAL);
      const [json = ""] = opened.files().filter((name) => name.endsWith(".json"));
      const file = join(opened.folder, json);
      await Deno.writeTextFile(file, damage(await Deno.readTextFile(file)));
      assert.equal(await opened.again().read(ID), undefined);
      assert.equal(opened.logged.length, 1);
      await opened.again().write(CREDENTIAL);
      assert.deepEqual(await opened.again().read(ID), CREDENTIAL);
    });
  }
});

Deno.test("a damaged key costs the sign-ins, and nothing else", async () => {
  await using opened = await openStore();
  await opened.store.write(CREDENTIAL);
  await Deno.writeTextFile(join(opened.folder, "key"), "short");
  assert.equal(await opened.again().read(ID), undefined);
  await opened.again().write(CREDENTIAL);
  assert.deepEqual(await opened.again().read(ID), CREDENTIAL);
});

Deno.test("a file under the name of another credential is not taken for it", async () => {
  await using opened = await openStore();
  await opened.store.write(CREDENTIAL);
  const [mine = ""] = opened.files().filter((name) => name.endsWith(".json"));
  const other = { ...ID, account: "home" };
  await opened.store.write({ ...CREDENTIAL, ...other });
  const [theirs = ""] = opened.files().filter((name) => name.endsWith(".json") && name !== mine);
  await Deno.copyFile(join(opened.folder, mine), join(opened.folder, theirs));
  assert.equal(await opened.again().read(other), undefined);
});

Deno.test("a file that others can write to is refused", async () => {
  await using opened = await openStore();
  await opened.store.write(CREDENTIAL);
  const [json = ""] = opened.files().filter((name) => name.endsWith(".json"));
  await Deno.chmod(join(opened.folder, json), 0o666);
  await assert.rejects(opened.again().read(ID), /everyone can write/);
});

Deno.test("two processes that begin at once share one key", async () => {
  await using opened = await openStore();
  const stores = Array.from({ length: 8 }, () => opened.again());
  const ids = stores.map((_, at) => ({ ...CREDENTIAL, account: `a${at}` }));
  await Promise.all(stores.map((store, at) => store.write(ids[at] ?? CREDENTIAL)));
  for (const id of ids) assert.deepEqual(await opened.again().read(id), id);
});

Deno.test("the key lies in a keychain where there is one", async () => {
  let kept: string | undefined;
  let isLocked = false;
  const chain: Keychain = {
    read: () => isLocked ? Promise.reject(new Error("locked")) : Promise.resolve(kept),
    write: (text) => Promise.resolve(void (kept = text)),
  };
  await using opened = await openStore(() => Promise.resolve(chain));
  await opened.store.write(CREDENTIAL);
  assert.ok(kept);
  assert.ok(!opened.files().includes("key"));
  assert.deepEqual(await opened.again().read(ID), CREDENTIAL);
  isLocked = true;
  await assert.rejects(opened.again().read(ID));
  await assert.rejects(opened.again().write(CREDENTIAL), "no second key is made");
  isLocked = false;
  assert.deepEqual(await opened.again().read(ID), CREDENTIAL);
});

Deno.test("a keychain that does not keep is not used", async () => {
  const chain: Keychain = {
    read: () => Promise.resolve(undefined),
    write: () => Promise.reject(new Error("AccessDenied")),
  };
  await using opened = await openStore(() => Promise.resolve(chain));
  await opened.store.write(CREDENTIAL);
  assert.ok(opened.files().includes("key"));
});

Deno.test("a lock whose holder was killed is taken over", async () => {
  await using opened = await openStore();
  await opened.store.write(CREDENTIAL);
  const holder = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `--config=${CONFIG}`, HOLDER, opened.home],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = holder.stdout.getReader();
  await reader.read(); // it holds the lock
  assert.equal(await opened.store.lock(ID, "lock", { timeoutMs: 0 }), undefined);
  holder.kill("SIGKILL");
  await holder.status;
  using lock = await opened.store.lock(ID, "lock", { timeoutMs: 10_000 });
  assert.ok(lock);
  await reader.cancel();
});

const CONFIG = new URL("../../../../deno.json", import.meta.url).pathname;
const HOLDER = new URL("../../../fixtures/auth/lock_holder.ts", import.meta.url).pathname;
