import { deepEqual, equal, rejects } from "node:assert/strict";
import { createNameLookup, type HostAddress } from "#base";

const ADDRESS = { address: "192.0.2.1", family: 4 };

/** Look-ups that end when the test says so. */
function stage() {
  const begun = new Map<string, PromiseWithResolvers<readonly HostAddress[]>>();
  const names: string[] = [];
  const lookup = createNameLookup((name) => {
    names.push(name);
    const answer = Promise.withResolvers<readonly HostAddress[]>();
    begun.set(name, answer);
    return answer.promise;
  });
  const ask = (name: string, run?: string, signal = new AbortController().signal) =>
    lookup.addresses(name, { signal, run });
  const answer = (name: string) => begun.get(name)?.resolve([ADDRESS]);
  return { names, ask, answer, fail: (name: string) => begun.get(name)?.reject(new Error("no")) };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

Deno.test("createNameLookup() keeps a place until its look-up has ended", async () => {
  const { names, ask, answer } = stage();
  for (const run of ["a", "b", "c"]) {
    const stop = new AbortController();
    const calls = Array.from({ length: 20 }, (_, at) => ask(`${run}${at}`, run, stop.signal));
    await settled();
    stop.abort(new Error("aborted"));
    for (const one of calls) await rejects(one, /aborted/);
  }
  deepEqual(names, ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]);
  const next = ask("next", "d");
  const other = ask("other", "a");
  await settled();
  equal(names.length, 8);
  answer("b2");
  await settled();
  deepEqual(names.slice(8), ["next"]);
  answer("next");
  deepEqual(await next, [ADDRESS]);
  await settled();
  equal(names.length, 9, "the run a has its share");
  answer("a3");
  await settled();
  answer("other");
  deepEqual(await other, [ADDRESS]);
});

Deno.test("createNameLookup() answers those that ask for one name by one look-up", async () => {
  const { names, ask, answer, fail } = stage();
  const stop = new AbortController();
  const first = ask("host", "a", stop.signal);
  await settled();
  const others = ["a", "b", "c", "d", undefined].map((run) => ask("host", run));
  stop.abort(new Error("left"));
  await rejects(first, /left/);
  answer("host");
  for (const one of others) deepEqual(await one, [ADDRESS]);
  deepEqual(names, ["host"]);
  const again = ask("host");
  await settled();
  fail("host");
  await rejects(again, /no/);
  deepEqual(names, ["host", "host"]);
});

Deno.test("createNameLookup() asks once for those that wait for a place with one name", async () => {
  const { names, ask, answer } = stage();
  const first = Array.from({ length: 8 }, (_, at) => ask(`${at}`));
  await settled();
  const waiting = [ask("host"), ask("host")];
  answer("0");
  answer("1");
  await settled();
  deepEqual(names.slice(8), ["host"]);
  answer("host");
  for (const one of waiting) deepEqual(await one, [ADDRESS]);
  for (let at = 2; at < 8; at++) answer(`${at}`);
  await Promise.all(first);
});

Deno.test("createNameLookup() looks up no address, and frees the places of those that fail", async () => {
  const { names, ask, fail } = stage();
  const waiting = Array.from({ length: 9 }, (_, at) => ask(`${at}`));
  deepEqual(await ask("127.0.0.1"), [{ address: "127.0.0.1", family: 4 }]);
  deepEqual(await ask("::1"), [{ address: "::1", family: 6 }]);
  await settled();
  equal(names.length, 8);
  for (let at = 0; at < 9; at++) {
    const refused = rejects(waiting[at] ?? Promise.resolve(), /no/);
    fail(`${at}`);
    await refused;
    await settled();
  }
  equal(names.length, 9);
});

Deno.test("createNameLookup() asks the system, whose files have names too", async () => {
  const { signal } = new AbortController();
  const addresses = await createNameLookup().addresses("localhost", { signal, run: undefined });
  deepEqual(addresses.every(({ address }) => ["127.0.0.1", "::1"].includes(address)), true);
  await rejects(
    createNameLookup().addresses("nowhere.invalid", { signal, run: undefined }),
    (error: Error) => "code" in error && /^(?:ENOTFOUND|EAI_AGAIN)$/.test(String(error.code)),
  );
});
