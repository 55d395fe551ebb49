/** Owner of the other end of a connection: whoever has let go of it can no longer be told. */

import assert from "node:assert/strict";
import { attempt, isForeignPeer } from "#base";

/** Only Linux tells whose a connection is. */
const ignore = Deno.build.os !== "linux";

interface Ends {
  readonly client: Deno.TcpConn;
  readonly server: Deno.TcpConn;
}

/** Connects to a listener at `host` by `address`; tells whether the client counts as foreign. */
async function isForeign(
  { host = "127.0.0.1", address = host, from, shunned }: {
    readonly host?: string;
    readonly address?: string;
    /** Address that the client is said to have. */
    readonly from?: string;
    /** Sockets that are held against it. */
    readonly shunned?: Pick<ReadonlySet<number>, "has">;
  },
  prepare: (ends: Ends) => Promise<void> | void = () => {},
): Promise<boolean> {
  using listener = Deno.listen({ hostname: host, port: 0 });
  const { port } = listener.addr;
  const [client, server] = await Promise.all([
    Deno.connect({ hostname: address, port }),
    listener.accept(),
  ]);
  try {
    await prepare({ client, server });
    const { hostname, port: remote } = server.remoteAddr;
    return isForeignPeer({ hostname: from ?? hostname, port: remote }, port, shunned);
  } finally {
    server.close();
    // The test may have closed it.
    attempt(() => client.close());
  }
}

Deno.test({
  name: "isForeignPeer() trusts the user's own open connection, by each kind of address",
  ignore,
  async fn(t) {
    for (const [host, address] of [["127.0.0.1"], ["::1"], ["::", "127.0.0.1"]]) {
      await t.step(`${host} ${address ?? ""}`, async () => {
        assert.equal(await isForeign({ host, address }), false);
      });
    }
  },
});

Deno.test({
  name: "isForeignPeer() trusts no connection that its program has closed",
  ignore,
  async fn() {
    assert.equal(await isForeign({}, ({ client }) => client.close()), true);
  },
});

Deno.test({
  name: "isForeignPeer() trusts no connection that its program has reset",
  ignore,
  async fn() {
    const reset = async ({ client, server }: Ends) => {
      await server.write(new Uint8Array(2));
      await client.read(new Uint8Array(1));
      // Linux resets a connection that is closed with unread bytes.
      client.close();
      await server.read(new Uint8Array(1)).catch(() => {
        // The reset may show as an error.
      });
    };
    assert.equal(await isForeign({}, reset), true);
  },
});

Deno.test({
  name: "isForeignPeer() trusts no connection whose socket is shunned",
  ignore,
  async fn() {
    const inodes: number[] = [];
    const shunAs = (answer: boolean) => ({
      has(inode: number) {
        inodes.push(inode);
        return answer;
      },
    });
    assert.equal(await isForeign({ shunned: shunAs(false) }), false);
    assert.equal(inodes.length, 1);
    assert.equal(await isForeign({ shunned: shunAs(true) }), true);
    assert.ok(inodes.every((inode) => inode > 0));
  },
});

Deno.test({
  name: "isForeignPeer() takes no connection of the user for one from another address",
  ignore,
  async fn() {
    assert.equal(await isForeign({ from: "127.0.0.2" }), true);
    assert.equal(await isForeign({ from: "::1" }), true);
  },
});

Deno.test({
  name: "isForeignPeer() knows this machine by all its addresses",
  ignore,
  async fn() {
    for (const { address } of Deno.networkInterfaces()) {
      assert.equal(await isForeign({ from: address }), address !== "127.0.0.1", address);
    }
  },
});

Deno.test("isForeignPeer() leaves other machines, whose users no system tells", async () => {
  assert.equal(await isForeign({ from: "198.51.100.7" }), false);
});

Deno.test({
  name: "a system that opens no file more takes every program for another user's",
  ignore,
  async fn() {
    const peers = new URL("../../base/foreign_peer.ts", import.meta.url).href;
    const program = `import { isForeignListener, isForeignPeer } from ${JSON.stringify(peers)};
      const own = [isForeignListener({ hostname: "127.0.0.1", port: 1 }), isForeignPeer({ hostname: "198.51.100.7", port: 1 }, 2)];
      try { for (;;) Deno.openSync("/dev/null"); } catch { /* all are taken */ }
      const full = [isForeignListener({ hostname: "127.0.0.1", port: 1 }), isForeignPeer({ hostname: "198.51.100.7", port: 1 }, 2)];
      console.log(JSON.stringify([own, full]));`;
    const { stdout } = await new Deno.Command("sh", {
      args: [
        "-c",
        'ulimit -n 100; exec "$@"',
        "sh",
        Deno.execPath(),
        "run",
        "-A",
        "--no-check",
        "--quiet",
        `data:text/javascript,${encodeURIComponent(program)}`,
      ],
    }).output();
    const answers = JSON.parse(new TextDecoder().decode(stdout));
    assert.deepEqual(answers, [[false, false], [true, true]]);
  },
});
