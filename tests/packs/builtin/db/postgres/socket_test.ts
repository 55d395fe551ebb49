import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Socket } from "node:net";
import { createNameLookup } from "#base";
import { withClient } from "../../../../../packs/builtin/db/postgres/connect.ts";
import { openSocket } from "../../../../../packs/builtin/db/postgres/socket.ts";
import { createTraffic } from "../../../../../packs/builtin/db/postgres/traffic.ts";

/** As the driver calls it. */
interface Connecting {
  connect(place: number | string, host?: string): void;
}

async function connected(socket: Socket, place: number | string, host?: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("connect", () => resolve());
  socket.once("error", reject);
  const driver: Connecting = socket as never;
  driver.connect(place, host);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}

Deno.test("openSocket() has its host looked up with all others", async (t) => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  const accepting = (async () => {
    for await (const one of listener) one.close();
  })();
  const names: string[] = [];
  const lookup = createNameLookup((name) => {
    names.push(name);
    if (name === "silent.test") return new Promise(() => {});
    if (name === "missing.test") return Promise.reject(new Error("no such name"));
    return Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  });
  const stop = new AbortController();
  const open = () => openSocket({ names: lookup, signal: stop.signal, run: undefined });

  await t.step("a name", async () => {
    await connected(open(), port, "database.test");
    deepEqual(names, ["database.test"]);
  });
  await t.step("an address", () => connected(open(), port, "127.0.0.1"));
  await t.step("a name without an address", async () => {
    await rejects(connected(open(), port, "missing.test"), /no such name/);
  });
  await t.step("the driver", async () => {
    const url = `postgres://u@missing.test:${port}/d`;
    const server = { url, names: lookup, traffic: createTraffic() };
    const options = {
      signal: stop.signal,
      run: undefined,
      timeoutMs: 1_000,
      maxBytes: 1_000,
      limit: 1,
    };
    await rejects(withClient(server, options, () => Promise.resolve()));
    equal(names.filter((name) => name === "missing.test").length, 2);
  });
  await t.step("the end of the call", async () => {
    const waiting = connected(open(), port, "silent.test");
    while (names.length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(new Error("the run has ended"));
    await rejects(waiting, /the run has ended/);
  });
  equal(names.length, 4);
  listener.close();
  await accepting;
});

Deno.test({
  name: "openSocket() connects to the path of a socket",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/.s.PGSQL.5432`;
    const listener = Deno.listen({ transport: "unix", path });
    const accepted = listener.accept();
    const { signal } = new AbortController();
    await connected(openSocket({ names: createNameLookup(), signal, run: undefined }), path);
    (await accepted).close();
    listener.close();
    await Deno.remove(folder, { recursive: true });
  },
});
