/** Many processes with one sign-in whose refresh token is good once; some are killed.
 * `ROUNDS=1000 deno test -A --no-check tests/packs/mcp/auth/processes_test.ts` for more of them. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Guarded, LONG_AGO, openGuarded } from "./harness.ts";

const PROCESSES = 12;
const ROUNDS = Number(Deno.env.get("ROUNDS") ?? 3);
/** Longer than a process needs to get its token. */
const LONGEST_LIFE_MS = 1_500;

const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const CONFIG = fileOf("deno.json");
const CALLER = fileOf("tests/fixtures/auth/caller.ts");

Deno.test("twelve processes with one expired token redeem it once, and all are answered", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const callers = Array.from({ length: PROCESSES }, () => start(guarded));
  for (const { output } of callers) assert.equal(await output, "ana whoami\n");
  assert.equal(guarded.issuer.redemptions(), 1);
  assert.deepEqual(guarded.issuer.killed, []);
});

Deno.test(`a process killed at a random point costs no sign-in, ${ROUNDS} times`, async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn();
  for (let round = 1; round <= ROUNDS; round++) {
    await expire(guarded);
    const callers = Array.from({ length: PROCESSES }, () => start(guarded));
    const [victim, ...others] = callers;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
    victim?.kill();
    for (const { output } of others) assert.equal(await output, "ana whoami\n", `round ${round}`);
    await victim?.output;
    assert.equal(guarded.issuer.redemptions(), round);
    assert.deepEqual(guarded.issuer.killed, []);
    // deno-lint-ignore no-console -- progress of a long run
    if (round % 50 === 0) console.error(`${round} rounds`);
  }
});

Deno.test("the death of all processes in the midst of a renewal costs no sign-in", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const question = Promise.withResolvers<void>();
  const dead = Promise.withResolvers<void>();
  guarded.issuer.quirks.answer = async () => {
    question.resolve();
    await dead.promise;
    return undefined;
  };
  const callers = Array.from({ length: 3 }, () => start(guarded));
  await question.promise;
  for (const caller of callers) caller.kill();
  await Promise.all(callers.map(({ output }) => output));
  dead.resolve();
  guarded.issuer.quirks.answer = undefined;
  assert.equal(await start(guarded).output, "ana whoami\n");
  assert.equal(guarded.issuer.redemptions(), 1);
  assert.deepEqual(guarded.issuer.killed, []);
});

function start({ home, resource }: Guarded) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, CALLER, home, resource.url],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return {
    output: child.output().then(({ stdout }) => new TextDecoder().decode(stdout)),
    kill: () => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}

/** Makes the stored token an old one, between two renewals. */
async function expire({ store, target }: Guarded): Promise<void> {
  using _lock = await store.lock(target, "lock");
  const credential = await store.read(target);
  assert.ok(credential?.tokens);
  await store.write({ ...credential, tokens: { ...credential.tokens, at: LONG_AGO } });
}
