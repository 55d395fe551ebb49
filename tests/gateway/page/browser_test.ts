/** The page as a person sees it, in a real browser. */

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { delay, openGateway, type TestGateway } from "../../support/gateway.ts";
import { freePort, released } from "../../support/port.ts";
import { fixture, markupCommand, pinnedCommand } from "../../support/servers.ts";
import { newClient, overHttp, textOf } from "../mcp/clients.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { expectAccessible, settled, signIn } from "./chromium.ts";

const TOOLS = 'import { tools } from "toolscript";';
const ignore = findChromium() === undefined;

Deno.test({ name: "the page works in a browser", ignore }, async (t) => {
  await using browser = await openChromium();
  await t.step("every page is accessible and loads nothing else", () => everyPage(browser));
  await t.step("markup from servers and programs is text", () => hostileTexts(browser));
  await t.step("a tool is called with a form, also without script", () => callsTool(browser));
  await t.step("a run appears while it runs, and nothing moves", () => showsRuns(browser));
  await t.step("a server is restarted", () => restarts(browser));
  await t.step("a thousand runs and fifty servers", () => manyRuns(browser));
  await t.step("an old link tells what to do", () => oldLink(browser));
  await t.step("a gateway that went away is told", () => goneGateway(browser));
});

/** Paths of all pages, one of a run that failed among them. */
async function pathsOf(gateway: TestGateway): Promise<string[]> {
  const html = await (await gateway.fetch("/runs")).text();
  const runs = [...new Set(html.match(/\/runs\/r_[\w-]+/g))];
  return [
    "/",
    "/runs",
    "/runs?outcome=failed",
    "/runs?tool=none",
    ...runs,
    "/servers",
    "/servers/shop",
    "/servers/ot",
    "/servers/gone",
    "/tools",
    "/tools?q=file",
    "/tools?q=zzzzqq",
    "/tools?tool=ot__help",
    "/tools?tool=shop__shout",
    "/stats",
    "/stats?period=all",
    "/none",
  ];
}

async function everyPage(browser: Browser): Promise<void> {
  await using gateway = await openGateway({
    servers: { shop: pinnedCommand("everything"), gone: { command: "/nonexistent/server" } },
  });
  await gateway.ready();
  await gateway.run(`${TOOLS} console.log(1); return await tools.shop.echo({ message: "hi" })`);
  await gateway.run("throw new Error('no')");
  await using dark = await signIn(browser, gateway, { colorScheme: "dark" });
  await using narrow = await signIn(browser, gateway, { viewport: { width: 390, height: 844 } });
  for (const [index, path] of (await pathsOf(gateway)).entries()) {
    if (path.includes("shout")) continue;
    for (const { page } of [dark, narrow]) {
      await page.goto(gateway.url + path);
      const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      assert.equal(isWider, false, `${path} scrolls sideways`);
    }
    await expectAccessible(dark.page);
    if (index % 3 === 0) await expectAccessible(narrow.page);
  }
  // The status of a page that is not there is no error of a page that is.
  const unexpected = [...dark.complaints, ...narrow.complaints].filter((text) => !/404/.test(text));
  assert.deepEqual(unexpected, []);
}

async function hostileTexts(browser: Browser): Promise<void> {
  await using gateway = await openGateway({ servers: { shop: markupCommand() } });
  await gateway.ready();
  const markup = `"'></title></pre><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const agent = { "user-agent": `<img src=x onerror=alert(5)>` };
  for (
    const script of [
      `${TOOLS} console.log(${JSON.stringify(markup)}); console.error(${JSON.stringify(markup)});
     return await tools.shop.shout({ text: ${JSON.stringify(markup)} })`,
      `${TOOLS} await tools.shop.fail({})`,
      `// ${markup}\nthrow new Error(${JSON.stringify(markup)})`,
      `${markup}`,
    ]
  ) {
    await (await gateway.post("/run", { script, file: `<img src=x>.ts` }, agent)).body?.cancel();
  }
  await using session = await signIn(browser, gateway);
  const { page, complaints } = session;
  const paths = [...await pathsOf(gateway), `/tools?q=${encodeURIComponent(markup)}`];
  for (const path of [...paths, `/runs?tool=${encodeURIComponent(markup)}`]) {
    await page.goto(gateway.url + path);
    await page.evaluate(
      `for (const item of document.querySelectorAll("details")) item.open = true`,
    );
    await expectOwnMarkup(page);
  }
  await page.goto(`${gateway.url}/tools?tool=shop__shout`);
  await page.getByLabel("text").first().fill(markup);
  await page.getByRole("button", { name: "Call it" }).click();
  await page.getByLabel("Result").first().waitFor();
  await expectOwnMarkup(page);
  assert.deepEqual(complaints.filter((text) => !/404/.test(text)), []);
}

/** Fails where an element is on the page that the gateway did not put there. */
async function expectOwnMarkup(page: Page): Promise<void> {
  const foreign = await page.evaluate(`[...document.querySelectorAll("*")].filter((item) =>
    item.localName === "script" && !item.src || item.localName === "img" && !item.alt === false ||
    item.localName === "img" && item.getAttribute("src") === "x" ||
    [...item.attributes].some(({ name, value }) => name.startsWith("on") || /^javascript:/i.test(value))
  ).map((item) => item.outerHTML)`);
  assert.deepEqual(foreign, [], page.url());
}

async function callsTool(browser: Browser): Promise<void> {
  await using gateway = await openGateway({
    servers: { shop: pinnedCommand("everything") },
    security: { ask: ["shop.echo"] },
  });
  await gateway.ready();
  for (const javaScriptEnabled of [true, false]) {
    await using session = await signIn(browser, gateway, { javaScriptEnabled });
    const { page } = session;
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    await page.getByRole("searchbox").fill("sum of two numbers");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /shop\.get.?sum/i }).click();
    await page.getByRole("spinbutton").first().fill("20");
    await page.getByRole("spinbutton").nth(1).fill("22");
    await page.keyboard.press("Enter");
    await page.getByText("The sum of 20 and 22 is 42.").waitFor();

    await page.goto(`${gateway.url}/tools?tool=shop__echo`);
    await page.getByLabel("message").first().fill("<b>hello</b>");
    await page.getByRole("button", { name: "Call it" }).click();
    await page.getByText("This call has to be confirmed").waitFor();
    await page.getByRole("button", { name: "Confirm and call" }).click();
    await page.getByText("Echo: <b>hello</b>").waitFor();
  }
}

/** Notes what has moved by itself, and how far, once the page that is there has been painted. */
const SHIFTS = `new Promise((go) => requestAnimationFrame(() => setTimeout(go))).then(() =>
  globalThis.shifts = []
).then(() => new PerformanceObserver((list) => {
  for (const { hadRecentInput, sources, value } of list.getEntries()) {
    const moved = sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML.slice(0, 200));
    if (!hadRecentInput) globalThis.shifts.push({ value, moved });
  }
}).observe({ type: "layout-shift", buffered: false }));`;

async function showsRuns(browser: Browser): Promise<void> {
  await using gateway = await openGateway({});
  await using session = await signIn(browser, gateway);
  const { page, complaints } = session;
  await page.getByText("Nothing has run yet").waitFor();
  await page.locator("#live.ok").waitFor();
  await page.evaluate(SHIFTS);
  const aborted = new AbortController();
  const running = gateway.fetch("/run", {
    method: "POST",
    signal: aborted.signal,
    headers: { "content-type": "application/json", "user-agent": "ana" },
    body: JSON.stringify({
      command:
        "for (i of [1, 2, 3, 600]) { console.log('step', i); await new Promise((go) => setTimeout(go, i * 1000)) }",
      timeout: 600,
    }),
  }).catch(() => {});
  const row = page.getByRole("link", { name: /Running.*for \(i of.*ana/ });
  await row.waitFor();
  assert.deepEqual(await page.evaluate("shifts"), []);
  await row.click();
  await page.getByText("step 3").waitFor();
  await page.evaluate(SHIFTS);
  aborted.abort();
  await running;
  await page.locator(".title .state.bad").waitFor();
  assert.deepEqual(await page.evaluate("shifts"), []);

  await page.getByRole("link", { name: "Statistics" }).click();
  await page.locator("#live.ok").waitFor();
  await page.evaluate(SHIFTS);
  await gateway.run("1");
  const content = page.locator("main");
  while (!/Runs\s+2\b/.test(await content.innerText())) await delay(50);
  assert.deepEqual(await page.evaluate("shifts"), []);
  assert.deepEqual(complaints, []);
}

/** A server of the tests as a configuration names it. */
function command(mode: string): Record<string, unknown> {
  const { command, args } = fixture(mode);
  return { command, args };
}

async function restarts(browser: Browser): Promise<void> {
  await using gateway = await openGateway({ servers: { shop: command("well") } });
  await gateway.ready();
  const before = await processOf(gateway);
  await using session = await signIn(browser, gateway);
  const { page } = session;
  await page.getByRole("link", { name: "Servers" }).click();
  await page.getByRole("link", { name: /Connected shop/ }).click();
  await page.getByRole("button", { name: "Restart" }).click();
  await gateway.ready();
  while (await processOf(gateway) === before) await delay(50);
  await page.getByText("Connected").first().waitFor();
}

async function processOf(gateway: TestGateway): Promise<unknown> {
  const { value, text } = await gateway.run(`${TOOLS} return await tools.shop.pid({})`);
  assert.ok(value !== undefined, text);
  return value;
}

async function manyRuns(browser: Browser): Promise<void> {
  const servers = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`server${index}`, { command: "/nonexistent/x" }]),
  );
  await using gateway = await openGateway({
    servers: { ...servers, git: command("good") },
    security: { ask: ["git.echo"] },
  });
  await gateway.ready();
  for (let from = 0; from < 1_000; from += 20) {
    const some = Array.from({ length: 20 }, (_, index) => {
      // Most end before they need a process.
      const command = index === 0 ? `"${from + index}"` : `${from + index} +`;
      return gateway.post("/run", { command }).then((answer) => answer.text());
    });
    await Promise.all(some);
  }
  await using session = await signIn(browser, gateway);
  const { page, complaints } = session;
  await page.getByRole("link", { name: "Runs" }).first().click();
  await page.getByText("1 to 100 of 1000").waitFor();
  await page.getByRole("link", { name: "Earlier" }).click();
  await page.getByText("101 to 200 of 1000").waitFor();
  await page.mouse.wheel(0, 3_000);
  await page.waitForFunction("scrollY > 1000");
  await page.getByRole("link", { name: "Servers" }).click();
  assert.equal(await page.locator('[data-live="servers"] li').count(), 51);
  await using agent = await overHttp(gateway, newClient("legacy"));
  const reply = agent.client.callTool({
    name: "run",
    arguments: { command: "git.echo(a=1)" },
  });
  reply.catch(() => {}); // what went wrong before is the error
  await page.getByRole("link", { name: "Now 1" }).click();
  await page.locator(".question").waitFor();
  await settled(page);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  assert.deepEqual(JSON.parse(textOf(await reply)), { a: 1 });
  assert.deepEqual(complaints, []);
}

async function oldLink(browser: Browser): Promise<void> {
  await using gateway = await openGateway({});
  await using session = await signIn(browser, gateway);
  const { page } = session;
  const response = await page.goto(`${gateway.url}/?code=${"x".repeat(32)}`);
  assert.equal(response?.status(), 401);
  await page.getByText("toolscript ui", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "open the page" }).click();
  await page.getByText("Last runs").waitFor();
}

async function goneGateway(browser: Browser): Promise<void> {
  const config = { gateway: { port: await freePort() } };
  await using gateway = await openGateway(config);
  await using session = await signIn(browser, gateway);
  const { page } = session;
  await page.locator("#live.ok").waitFor();
  await gateway.close();
  await page.getByText("Connecting").waitFor();
  // The next one at this address knows no browser of the last.
  const { home, project } = gateway;
  await released(config.gateway.port);
  await using next = await openGateway(config, { home, project });
  assert.equal(next.url, gateway.url);
  await page.getByText("Signed out").waitFor();
}
