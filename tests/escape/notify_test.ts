/** Messages of `ot.notify` in a folder that another user may change while they are written. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { loadConfig } from "#config";
import { notify, type Topics } from "../../runtime/ot/notify.ts";
import { closedOf } from "../support/closed.ts";

interface Stage {
  readonly project: string;
  /** A folder elsewhere with the file `kept.yaml`, which is empty. */
  readonly victim: string;
  send(message: string, signal?: AbortSignal): Promise<string>;
}

interface StageOptions {
  /** Path of the topic's file, below the project. */
  readonly file: string;
  readonly patienceMs?: number;
  /** Called each time when it has been checked that the file may be changed. */
  readonly afterCheck?: (stage: Pick<Stage, "project" | "victim">) => void;
}

async function withStage(
  { file, patienceMs, afterCheck = () => {} }: StageOptions,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-notify-" }));
  const [project, home, victim] = [join(root, "project"), join(root, "home"), join(root, "victim")];
  for (const folder of [dirname(join(project, file)), home, victim]) {
    await Deno.mkdir(folder, { recursive: true });
  }
  await Deno.writeTextFile(join(victim, "kept.yaml"), "");
  await using closed = closedOf(await loadConfig({ env: {}, home, cwd: project }));
  const topics: Topics = {
    topics: [{ pattern: "*", file: join(project, file) }],
    folders: [project],
    now: Date.now,
    patienceMs,
    closed: {
      ...closed,
      async change(path, options) {
        const refusal = await closed.change(path, options);
        afterCheck({ project, victim });
        return refusal;
      },
    },
  };
  const send = (message: string, signal?: AbortSignal) =>
    notify({ ...topics, signal }, { topic: "a", message });
  try {
    await work({ project, victim, send });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Fails where anything was made in the victim's folder, or written to its file. */
async function assertKept(victim: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(victim));
  assert.deepEqual(entries.map(({ name }) => name), ["kept.yaml"]);
  assert.equal(await Deno.readTextFile(join(victim, "kept.yaml")), "");
}

/** Puts a link in the place of an entry. */
function replaceByLink(path: string, target: string): void {
  Deno.symlinkSync(target, `${path}.link`);
  try {
    Deno.renameSync(path, `${path}.old`);
  } catch {
    // The first message has not come yet.
  }
  Deno.renameSync(`${path}.link`, path);
}

const SWAPS: Record<string, { file: string; swapped: string; to: string; isThere?: boolean }> = {
  "a link in place of the file": {
    file: "a.yaml",
    swapped: "a.yaml",
    to: "kept.yaml",
    isThere: true,
  },
  "a link in place of no file": { file: "a.yaml", swapped: "a.yaml", to: "kept.yaml" },
  "a link to nothing": { file: "a.yaml", swapped: "a.yaml", to: "new.yaml" },
  "a link in place of the folder": { file: "x/kept.yaml", swapped: "x", to: ".", isThere: true },
  "a link in place of an empty folder": { file: "x/new.yaml", swapped: "x", to: "." },
  "a link in place of a folder above": { file: "x/y/a.yaml", swapped: "x", to: "." },
};

Deno.test("a message goes through no link that comes after the check", async (t) => {
  for (const [name, { file, swapped, to, isThere = false }] of Object.entries(SWAPS)) {
    await t.step(name, () => {
      let isSwapped = false;
      const afterCheck: StageOptions["afterCheck"] = ({ project, victim }) => {
        if (!isSwapped) replaceByLink(join(project, swapped), join(victim, to));
        isSwapped = true;
      };
      return withStage({ file, afterCheck }, async ({ project, victim, send }) => {
        if (isThere) await Deno.writeTextFile(join(project, file), "");
        assert.match(await send("evil"), /^Error: Cannot write to '/);
        await assertKept(victim);
      });
    });
  }
});

Deno.test("a message goes through no link that comes after the check, and goes soon", async (t) => {
  for (const to of ["kept.yaml", "new.yaml"]) {
    await t.step(to, async () => {
      for (let turns = 0; turns < 20; turns++) await sendPastLink(to, turns);
    });
  }
});

/** Sends a message while a link is in the place of its file for so many turns of the event loop. */
async function sendPastLink(to: string, turns: number): Promise<void> {
  let isSwapped = false;
  const afterCheck: StageOptions["afterCheck"] = ({ project, victim }) => {
    if (!isSwapped) replaceByLink(join(project, "a.yaml"), join(victim, to));
    isSwapped = true;
  };
  await withStage({ file: "a.yaml", afterCheck }, async ({ project, victim, send }) => {
    await Deno.writeTextFile(join(project, "a.yaml"), "");
    const sent = send("evil");
    while (!isSwapped) await setImmediate();
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    Deno.renameSync(join(project, "a.yaml.old"), join(project, "a.yaml"));
    await sent;
    await assertKept(victim);
  });
}

Deno.test("a message waits for another user's lock no longer than its patience", () =>
  withStage({ file: "a.yaml", patienceMs: 0 }, async ({ project, send }) => {
    const path = join(project, "a.yaml");
    await Deno.writeTextFile(path, "");
    using holder = await Deno.open(path);
    await holder.lock(true);
    for (let sent = 0; sent < 50; sent++) assert.match(await send("x"), /has locked it: retry$/);
    assert.equal(await Deno.readTextFile(path), "");
    await holder.unlock();
    assert.match(await send("x"), /^OK: /);
  }));

Deno.test("a message that waits for a lock ends with its run, and is never written", () =>
  withStage({ file: "a.yaml", patienceMs: Infinity }, async ({ project, send }) => {
    const path = join(project, "a.yaml");
    await Deno.writeTextFile(path, "");
    using holder = await Deno.open(path);
    await holder.lock(true);
    const run = new AbortController();
    const sent = Promise.all(Array.from({ length: 50 }, () => send("x", run.signal)));
    await setImmediate();
    run.abort();
    for (const answer of await sent) assert.match(answer, /: the run has ended$/);
    await holder.unlock();
    assert.match(await send("alone"), /^OK: /);
    assert.equal((await Deno.readTextFile(path)).match(/^---$/gm)?.length, 1);
  }));
