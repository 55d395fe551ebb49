/** A service worker that an earlier server of the gateway's port left in the browser. */

import assert from "node:assert/strict";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { freePort, released } from "../../support/port.ts";
import { issueCode } from "./browser_session.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";

const PAGE = `<script>
  navigator.serviceWorker.register("/worker.js");
  navigator.serviceWorker.addEventListener("controllerchange", () => document.title = "left");
</script>`;
const TAKE = `addEventListener("activate", (event) => event.waitUntil(clients.claim()));`;
const WORKERS = {
  "passes the request on": "event.respondWith(fetch(event.request))",
  "asks by itself": "event.respondWith(fetch(event.request.url))",
  "leaves the request alone": "",
};

Deno.test({
  name: "an earlier server's service worker gets no session, and is gone",
  ignore: findChromium() === undefined,
}, async (t) => {
  await using browser = await openChromium();
  for (const [name, answer] of Object.entries(WORKERS)) {
    await t.step(name, async () => {
      await using context = await browser.newContext();
      const page = await context.newPage();
      const worker = `${TAKE} addEventListener("fetch", (event) => { ${answer} });`;
      await using gateway = await openAfter(worker, async (url) => {
        await page.goto(url);
        await page.waitForFunction("document.title === 'left'");
        await page.goto("about:blank");
      });
      await page.goto(`${gateway.url}/?code=${await issueCode(gateway)}`);
      const isRefused = answer !== "";
      assert.equal((await context.cookies()).length, isRefused ? 0 : 1);
      const workers = "navigator.serviceWorker.getRegistrations().then((all) => all.length)";
      assert.equal(await page.evaluate(workers), 0);
      if (isRefused) await page.reload();
      assert.equal(page.url(), `${gateway.url}/`);
      assert.equal((await context.cookies()).length, 1);
    });
  }
});

/** Opens a gateway on the port of a server that left its worker. */
async function openAfter(
  worker: string,
  visit: (url: string) => Promise<void>,
): Promise<TestGateway> {
  const port = await freePort();
  await leaveWorker(worker, port, visit);
  await released(port);
  const gateway = await openGateway({ gateway: { port } });
  assert.equal(gateway.url, `http://127.0.0.1:${port}`);
  return gateway;
}

/** Serves a page that registers the worker, while a browser visits it. */
async function leaveWorker(
  worker: string,
  port: number,
  visit: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) => {
    const isWorker = new URL(request.url).pathname === "/worker.js";
    const type = isWorker ? "text/javascript" : "text/html";
    return new Response(isWorker ? worker : PAGE, { headers: { "content-type": type } });
  });
  await visit(`http://127.0.0.1:${server.addr.port}/`);
}
