/** Sockets of processes, and those of the sandbox among them. */

import assert from "node:assert/strict";
import { isForeignPeer, sleep } from "#base";
import { socketsOf } from "../../sandbox/process/sockets.ts";
import { createHost, processesOf } from "./host.ts";

/** Only Linux has them. */
const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "socketsOf() finds the sockets of a process that has connections",
  ignore,
  async fn() {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { hostname, port } = listener.addr;
    const before = await socketsOf([Deno.pid]);
    using client = await Deno.connect({ hostname, port });
    using _server = await listener.accept();
    assert.equal(isForeignPeer(client.localAddr, port, before), false);
    assert.equal(isForeignPeer(client.localAddr, port, await socketsOf([])), false);
    assert.equal(isForeignPeer(client.localAddr, port, await socketsOf([1e9, Deno.pid])), true);
  },
});

Deno.test({
  name: "socketsOf() takes every socket for that of a process that has too many files",
  ignore,
  async fn() {
    const files: Deno.FsFile[] = [];
    try {
      while (files.length < 1_100) files.push(await Deno.open("/dev/null"));
      assert.ok((await socketsOf([Deno.pid])).has(1));
    } finally {
      for (const file of files) file.close();
    }
    assert.ok(!(await socketsOf([Deno.pid])).has(1));
  },
});

Deno.test("socketsOf() finds none of a process that has ended", async () => {
  const child = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await child.status;
  assert.ok(!(await socketsOf([child.pid])).has(1));
});

Deno.test({
  name: "sockets() has those of a process in a run, and of one that is warm",
  ignore,
  async fn() {
    await using host = createHost();
    await using _lease = await host.sandbox.lease();
    while (host.sandbox.status().warm === 0) await sleep(20);
    const pids = await processesOf(host);
    assert.ok(pids.length > 1);
    for (const pid of pids) {
      const own = await socketsIn(pid);
      const sockets = await host.sandbox.sockets();
      assert.ok(own.length > 0 && own.every((inode) => sockets.has(inode)));
    }
  },
});

/** Numbers of the sockets of a process, by the system's own program. */
async function socketsIn(pid: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("ls", { args: ["-l", `/proc/${pid}/fd`] }).output();
  const text = new TextDecoder().decode(stdout);
  return [...text.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => Number(inode));
}
