/** OT-12, OT-13: `ot.notify` appends messages to the files of their topics. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { loadConfig } from "#config";
import { closedOf } from "../support/closed.ts";

interface Message {
  readonly topic: string;
  readonly message: string;
  readonly time: string;
}

const HOSTILE = [
  "two\n---\ndocuments\n...\nend",
  "%YAML 1.2\n---\nx",
  "nul\0 esc\x1b[31m bell\x07 del\x7f",
  "line\u2028paragraph\u2029next\x85",
  "lone \ud800 half".toWellFormed(),
  "topic: other\nmessage: &a *a !!js/function x",
  "\ttabs\n\t\tand\r\nreturns\r",
  "# no comment\n- no list",
  "",
  "x".repeat(10_000),
];

async function notify(gateway: TestGateway, topic: string, message: string): Promise<string> {
  const response = await gateway.post("/tools/ot__notify", { topic, message });
  return (await response.json()).result;
}

async function messages(path: string): Promise<Message[]> {
  return loadAll(await Deno.readTextFile(path)) as Message[];
}

Deno.test("OT-12 OT-13 messages to topics", async (t) => {
  await using gateway = await openGateway({
    notify: {
      topics: [
        { pattern: "notes", file: "notes.yaml" },
        { pattern: "{build,test}:*", file: "logs/build.yaml" },
        { pattern: "dev:*", file: "dev.yaml" },
        { pattern: "{a,{b,c}}-?", file: "abc.yaml" },
        { pattern: "home", file: "~/.onetool/home.yaml" },
        { pattern: "away", file: "/tmp/toolscript-away.yaml" },
        { pattern: "up", file: "../up.yaml" },
        { pattern: "linked", file: "linked.yaml" },
        { pattern: "loose", file: "loose/x.yaml" },
        { pattern: "*", file: "rest.yaml" },
      ].slice(0, -1),
    },
  });
  const { project, home } = gateway;

  await t.step("OT-12 a command's message is written before it is answered", async () => {
    const command = 'ot.notify(topic="notes", message="Remember to review PR #123")';
    const before = Date.now();
    const reply = await (await gateway.post("/run", { command })).json();
    assert.equal(reply.text, "OK: notes -> notes.yaml");
    const [message, ...more] = await messages(join(project, "notes.yaml"));
    assert.deepEqual(more, []);
    assert.deepEqual(Object.keys(message ?? {}), ["topic", "message", "time"]);
    assert.equal(message?.message, "Remember to review PR #123");
    const time = Date.parse(message?.time ?? "");
    assert.ok(before <= time && time <= Date.now());
  });

  await t.step("OT-12 the first that matches, in a folder that is made", async () => {
    assert.equal(
      await notify(gateway, "build:main/x", "red"),
      "OK: build:main/x -> logs/build.yaml",
    );
    assert.equal((await messages(join(project, "logs/build.yaml")))[0]?.topic, "build:main/x");
    assert.equal(await notify(gateway, "home", "hi"), `OK: home -> ${home}/.onetool/home.yaml`);
  });

  await t.step("OT-12 no message breaks the file", async () => {
    for (const message of HOSTILE) {
      assert.equal(await notify(gateway, "notes", message), "OK: notes -> notes.yaml");
    }
    const kept = (await messages(join(project, "notes.yaml"))).slice(1);
    assert.deepEqual(kept.map(({ message }) => message), HOSTILE);
  });

  await t.step("OT-12 a document begins on a line of its own", async () => {
    const path = join(project, "notes.yaml");
    const count = (await messages(path)).length;
    await Deno.writeTextFile(path, "---\ntopic: cut short", { append: true });
    await notify(gateway, "notes", "after it");
    assert.equal((await messages(path)).length, count + 2);
  });

  await t.step("OT-12 nothing outside the project and the home's state is written", async () => {
    await Deno.symlink("/tmp/toolscript-linked.yaml", join(project, "linked.yaml"));
    await Deno.symlink("/tmp", join(project, "loose"));
    for (const topic of ["away", "up", "linked", "loose"]) {
      const text = await notify(gateway, topic, "x");
      assert.match(text, /^Error: Cannot write to '.*\.yaml': it is outside the project$/, topic);
    }
    await assert.rejects(Deno.lstat("/tmp/toolscript-linked.yaml"), Deno.errors.NotFound);
  });

  await t.step("OT-12 a star stands for any text, also for none", async () => {
    const rest = [
      "",
      "a",
      "a/b",
      "/",
      "a/../b",
      "..",
      ".",
      "a.b/./c",
      "a\nb",
      "\n",
      "\u2028",
      "[*]",
    ];
    for (const text of [...rest, "a\\b", "ä 🎉", " "]) {
      const topic = `dev:${text}`;
      assert.equal(await notify(gateway, topic, "x"), `OK: ${topic} -> dev.yaml`);
    }
    for (const topic of ["a-1", "b-/", "c-\n"]) {
      assert.equal(await notify(gateway, topic, "x"), `OK: ${topic} -> abc.yaml`);
    }
    for (const topic of ["dev", "Dev:a", " dev:a", "\ndev:a", "a-", "a-12", "d-1", "{a,b}-1"]) {
      assert.equal(await notify(gateway, topic, "x"), "SKIP: no matching topic", topic);
    }
  });

  await t.step("OT-13 no topic", async () => {
    for (const topic of ["unknown:topic", "note", "Notes", "", "n".repeat(10_000)]) {
      assert.equal(await notify(gateway, topic, "test"), "SKIP: no matching topic");
    }
  });
});

Deno.test("OT-12 messages of several gateways do not interleave", async () => {
  const config = { notify: { topics: [{ pattern: "*", file: "all.yaml" }] } };
  await using gateway = await openGateway(config);
  const { notify: append } = await import("../../runtime/ot/notify.ts");
  const topics = {
    topics: [{ pattern: "*", file: join(gateway.project, "all.yaml") }],
    folders: [gateway.project],
    now: Date.now,
    closed: closedOf(await loadConfig({ env: {}, home: gateway.home, cwd: gateway.project })),
  };
  const sent = Array.from({ length: 60 }, (_, index) => `${index} ${"z".repeat(index * 300)}`);
  await Promise.all(
    sent.map((message, index) =>
      index % 2 === 0 ? notify(gateway, "t", message) : append(topics, { topic: "t", message })
    ),
  );
  const kept = (await messages(join(gateway.project, "all.yaml"))).map(({ message }) => message);
  assert.deepEqual(kept.toSorted(), sent.toSorted());
});
