/** Port of a gateway that starts beside other processes. */

import { equal } from "node:assert/strict";
import { listen } from "../../gateway/listen.ts";
import { freePort } from "../support/port.ts";

const PROCESSES = `for (;;) await new Deno.Command("true").output();`;

Deno.test({
  name: "a port opens while processes are started, which hold listeners for a moment",
  ignore: Deno.build.os === "windows",
}, async () => {
  const workers = [1, 2, 3, 4].map(() =>
    new Worker(`data:text/javascript,${encodeURIComponent(PROCESSES)}`, { type: "module" })
  );
  try {
    for (let round = 0; round < 300; round++) {
      const port = await freePort();
      const listener = await listen({ host: "127.0.0.1", port });
      equal(listener.port, port);
      await listener.close(0);
    }
  } finally {
    for (const worker of workers) worker.terminate();
  }
});
