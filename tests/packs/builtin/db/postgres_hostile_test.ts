/** What a hostile PostgreSQL may send. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type JsonObject, within } from "#base";
import { openProject } from "../../../config/project.ts";
import { openBuiltin } from "../../../support/builtin.ts";
import { openAuthority } from "../../../support/certificates.ts";
import { cli } from "../../../support/cli.ts";
import { createRegistry } from "#packs";
import {
  DONE,
  type FakeConnection,
  fields,
  int,
  joined,
  MAY_READ,
  message,
  NONE,
  OPENED,
  openReading,
  PREPARED,
  row,
  startFakePostgres,
  text,
} from "../../../support/fake_postgres.ts";

const MB = 2 ** 20;
/** The request that PostgreSQL knows as a cancellation: its length, its code, process and secret. */
const CANCEL = joined(int(16), int(80_877_102), int(4_242), int(17));

/** Sends up to so many MB of zeros; the head of a message tells of 2 GB. */
async function flood({ send }: FakeConnection, most = 200, head = message("D", NONE, 2 ** 31 - 1)) {
  if (!await send(head)) return;
  for (let count = 0; count < most; count++) {
    if (!await send(new Uint8Array(MB))) return;
  }
}

interface Stage extends AsyncDisposable {
  query(signal?: AbortSignal): Promise<JsonObject>;
}

async function openStage(url: string, timeout = 30): Promise<Stage> {
  const stage = await openBuiltin("db", { connections: { bad: url }, timeout });
  const registry = createRegistry([stage.pack], { log: () => {} });
  return {
    async query(signal) {
      const args = { sql: "SELECT 1" };
      return (await registry.call("db__query", args, { signal })).value as JsonObject;
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let count = 0; !holds(); count++) {
    assert.ok(count < 600, "it never holds");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A certificate of this machine, and its key. */
async function certificate() {
  const folder = await Deno.makeTempDir();
  const paths = await (await openAuthority(folder)).issue("127.0.0.1");
  const [cert, key] = [await Deno.readTextFile(paths.cert), await Deno.readTextFile(paths.key)];
  await Deno.remove(folder, { recursive: true });
  return { cert, key };
}

const OVER = { code: "too_large", message: /its error or notice is over 1 MB/ };
const UNREADABLE = { code: "unavailable", message: /no message of PostgreSQL/ };

const OPENINGS: Record<string, (connection: FakeConnection) => Promise<unknown>> = {
  "a long message": (one) => flood(one),
  "a long message, after the server let it in": async (one) => {
    await one.send(message("R", int(0)));
    await flood(one);
  },
  "many short messages": async (one) => {
    const notice = message("S", joined(text("a"), text("b")));
    const many = joined(...Array.from({ length: 100_000 }, () => notice));
    for (let count = 0; count < 200 && await one.send(many); count++);
  },
};

for (const [name, behave] of Object.entries(OPENINGS)) {
  Deno.test(`a connection that is being opened ends at ${name}`, async () => {
    await using server = startFakePostgres(async (one) => {
      await one.read();
      await behave(one);
    });
    await using stage = await openStage(server.url);
    await assert.rejects(stage.query(), {
      code: "unavailable",
      message: /Cannot connect to the database: it sent over 64 kB before/,
    });
    await until(() => server.open() === 0);
    assert.ok(server.sent() < 50 * MB, `${server.sent()} bytes were taken`);
  });
}

Deno.test("a connection with TLS that is being opened ends at a long message", async () => {
  const tls = await certificate();
  await using server = startFakePostgres(async (one) => {
    await one.read();
    await flood(one);
  }, tls);
  await using stage = await openStage(server.url);
  await assert.rejects(stage.query(), /it sent over 64 kB before/);
  await until(() => server.open() === 0);
  assert.ok(server.sent() < 50 * MB, `${server.sent()} bytes were taken`);
});

for (const secure of [false, true]) {
  const way = secure ? "over TLS, as it was sent," : "by a request";
  Deno.test(`a statement is cancelled ${way} and no answer is read`, async () => {
    const requests: (Uint8Array | undefined)[] = [];
    await using server = startFakePostgres(async (one) => {
      if (one.id === 1) return await openReading(one);
      requests.push(await one.read());
      await flood(one);
    }, secure ? await certificate() : undefined);
    await using stage = await openStage(server.url);
    const leaving = new AbortController();
    const query = stage.query(leaving.signal);
    await until(() => server.sent() >= OPENED.length + MAY_READ.length);
    leaving.abort(new DOMException("left", "AbortError"));
    await assert.rejects(query);
    await until(() => requests.length === 1 && server.open() === 0);
    assert.deepEqual(requests, [CANCEL]);
    assert.ok(server.sent() < 50 * MB, `${server.sent()} bytes were taken`);
  });
}

Deno.test("a server that closes no connection holds up no call", async () => {
  const held = Promise.withResolvers<void>();
  await using server = startFakePostgres(async (one) => {
    await openReading(one);
    await one.send(PREPARED, fields("QUERY PLAN"), row("Result"), DONE);
    await one.read();
    await one.send(PREPARED, message("n", NONE), DONE);
    await one.read();
    await one.send(PREPARED, fields("n"), row("1"), DONE);
    await held.promise;
  });
  await using stage = await openStage(server.url);
  const query = stage.query();
  assert.ok(await within(query, 60_000));
  held.resolve();
  assert.deepEqual((await query).rows, [{ n: "1" }]);
});

/** Messages in the opening that are none. */
const MALFORMED_OPENINGS: Record<string, Uint8Array> = {
  "another way to sign in": message("R", int(99)),
  "a key without content": message("K", NONE),
  "a message without a length": message("S", NONE, 0),
  "an error without an end": message("E", joined(text("SFATAL"), text("C28000"))),
  "a notice without content": message("N", NONE),
};

for (const [name, bytes] of Object.entries(MALFORMED_OPENINGS)) {
  Deno.test(`a connection that is being opened ends at ${name}`, async () => {
    await using server = startFakePostgres(async (one) => {
      await one.read();
      await one.send(bytes);
    });
    await using stage = await openStage(server.url);
    await assert.rejects(stage.query(), UNREADABLE);
    await until(() => server.open() === 0);
  });
}

/** Messages that answer a statement and are none. */
const MALFORMED: Record<string, Uint8Array> = {
  "a row without content": message("D", NONE),
  "a row with fewer values than columns": joined(PREPARED, fields("a", "b"), row("1")),
  "a row of columns that were not named": joined(PREPARED, row("1")),
  "a value of negative length": joined(
    PREPARED,
    fields("a", "b"),
    message("D", joined(int(2, 2), int(3), text("ab"), int(-8))),
  ),
  "a value that is longer than its row": joined(
    PREPARED,
    fields("a"),
    message("D", joined(int(1, 2), int(50), text("ab"))),
  ),
  "a row that is longer than its values": joined(
    PREPARED,
    fields("a"),
    message("D", joined(int(1, 2), int(1), text("ab"))),
  ),
  "more columns than a table has": joined(PREPARED, fields(...Array(1_700).fill("a"))),
  "columns that are told and do not come": message("T", int(1_000, 2)),
  "parameters that are told and do not come": message("t", int(32_767, 2)),
  "a copy of columns that do not come": message("G", joined(int(0, 1), int(32_767, 2))),
  "an error without an end": message("E", joined(text("SERROR"), text("Mwrong"))),
  "a notice whose end is in the next message": joined(message("N", text("Mwrong")), DONE),
};

for (const [name, bytes] of Object.entries(MALFORMED)) {
  Deno.test(`a connection ends at ${name}`, async () => {
    await using server = startFakePostgres(async (one) => {
      if (one.id > 1) return one.close();
      await openReading(one);
      await one.send(bytes);
    });
    await using stage = await openStage(server.url);
    await assert.rejects(stage.query(), UNREADABLE);
    await until(() => server.open() === 0);
  });
}

Deno.test("a connection ends at more ends of statements than there are statements", async () => {
  await using server = startFakePostgres(async (one) => {
    if (one.id > 1) return one.close();
    await openReading(one);
    const many = joined(...Array.from({ length: 30_000 }, () => message("C", text("A"))));
    await one.send(many);
  });
  await using stage = await openStage(server.url);
  await assert.rejects(stage.query(), UNREADABLE);
});

/** Kinds of messages that tell of 3 MB. */
const OVERLONG: Record<string, [kind: string, refused: object]> = {
  "a long notice": ["N", OVER],
  "a long error": ["E", OVER],
  "a long list of ways to sign in": ["R", UNREADABLE],
  "a long end of a statement": ["C", UNREADABLE],
  "a message of an unknown kind": ["x", UNREADABLE],
};

for (const [name, [kind, refused]] of Object.entries(OVERLONG)) {
  Deno.test(`a connection ends at the head of ${name}`, async () => {
    await using server = startFakePostgres(async (one) => {
      if (one.id > 1) return one.close();
      await openReading(one);
      await one.send(message(kind, NONE, 3 * MB));
    });
    await using stage = await openStage(server.url, 5);
    await assert.rejects(stage.query(), refused);
    await until(() => server.open() === 0);
  });
}

Deno.test("a connection ends at a notice of many fields", async () => {
  const content = new Uint8Array(900_000).map((_, at) => at % 3 === 2 ? 0 : 255);
  const notice = message("N", joined(content, int(0, 1)));
  await using server = startFakePostgres(async (one) => {
    if (one.id > 1) return one.close();
    await openReading(one);
    await one.send(notice);
  });
  await using stage = await openStage(server.url, 5);
  await assert.rejects(stage.query(), UNREADABLE);
  await until(() => server.open() === 0);
});

Deno.test("a server gets no password of the person that the URL does not have", async (t) => {
  const rows: Record<string, readonly [urlOf: (url: string) => string, password: string]> = {
    "none in the URL": [(url) => url.replace(":secret-word@", "@"), ""],
    "one in the URL": [(url) => url, "secret-word"],
    "one in its parameters": [(url) => `${url}?password=own`, "own"],
  };
  for (const [name, [urlOf, password]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const passwords: string[] = [];
      await using server = startFakePostgres(async (one) => {
        await one.read();
        await one.send(message("R", int(3)));
        const answer = await one.read() ?? NONE;
        passwords.push(new TextDecoder().decode(answer.slice(5, -1)));
        one.close();
      });
      const connections = { theirs: urlOf(server.url) };
      await using it = await openProject({
        ".onetool/onetool.yaml": JSON.stringify({ packs: { db: { connections } } }),
        "~/.pgpass": "*:*:*:*:pgpass-hunter\n",
      });
      await Deno.chmod(join(it.home, ".pgpass"), 0o600);
      const env = { PGPASSWORD: "env-hunter", TOOLSCRIPT_TRUST: "all" };
      const { code, stderr } = await cli(["run", 'db.query(sql="SELECT 1")'], {
        home: it.home,
        cwd: it.project,
        env,
      });
      assert.equal(code, 1);
      assert.deepEqual(passwords, [password]);
      const says = /it wants a password, and its URL has none: write it there/;
      assert.equal(says.test(stderr), password === "");
    });
  }
});

Deno.test("db.connections() names the place that is reached, without passwords", async () => {
  const rows: Record<string, string> = {
    "postgres://u:secret@db.example/x": "u@db.example/x",
    "postgres://u@db.example/x?host=a.example&host=127.0.0.1&port=1": "u@127.0.0.1:1/x",
    "postgres://u@db.example:5433/x?user=v&password=secret": "v@db.example:5433/x",
  };
  for (const [url, target] of Object.entries(rows)) {
    await using stage = await openBuiltin("db", { connections: { one: url } });
    const { value } = await stage.pack.call("connections", {}, {});
    assert.partialDeepStrictEqual(value, [{ name: "one", target }]);
  }
});
