/** Presses that reach a page which has only just come before the person: the second click of a double
 * click, a key that is held, a window that comes to the front. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump } from "js-yaml";
import type { Browser, Locator, Page } from "playwright-core";
import { openPlace, UNTRUSTED } from "../../escape/trust_place.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { delay, openGateway, type TestGateway } from "../../support/gateway.ts";
import { fixture } from "../../support/servers.ts";
import { CLOCK, settled, signIn } from "./chromium.ts";

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/changing_server.ts", import.meta.url));
const ignore = findChromium() === undefined;

interface Ground {
  readonly gateway: TestGateway;
  /** Page with the button. */
  readonly path: string;
  readonly button: (page: Page) => Locator;
  /** Path that a press of the button sends a form to. */
  readonly sends: RegExp;
}

type OpenGround = () => Promise<Ground & AsyncDisposable>;

const GROUNDS: Readonly<Record<string, OpenGround>> = {
  "Trust it": untrusted,
  "Allow": asking,
  "Accept all": changed,
};

Deno.test({ name: "a page that has only just come takes no press", ignore }, async (t) => {
  await using browser = await openChromium();
  for (const [name, open] of Object.entries(GROUNDS)) {
    await t.step(`${name}: the second click of a double click`, async () => {
      await using ground = await open();
      await secondClick(browser, ground);
    });
  }
  await t.step("a key that is held since the page before", () => heldKey(browser));
  await t.step("a click that brings its window to the front", () => broughtToFront(browser));
  await t.step("a click on a page from the browser's memory", () => remembered(browser));
  await t.step("what was typed stays", () => typed(browser));
});

/** A project that nobody trusts yet. */
async function untrusted(): Promise<Ground & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace({}));
  const servers = { shop: fixture("well") };
  await place.write(".onetool/onetool.yaml", dump({ servers }));
  const gateway = opened.use(await openGateway({ servers }, { ...place, env: UNTRUSTED }));
  return {
    gateway,
    path: "/",
    sends: /^\/page\/trust$/,
    button: (page) => page.getByRole("button", { name: "Trust it" }),
    ...kept(opened),
  };
}

/** A program that waits for a yes. */
async function asking(): Promise<Ground & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const servers = { git: fixture("good") };
  const gateway = opened.use(await openGateway({ servers, security: { ask: ["git.echo"] } }));
  await gateway.ready();
  const gone = new AbortController();
  const reply = gateway.fetch("/run", {
    method: "POST",
    signal: gone.signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ command: "git.echo(n=1)", wait: true }),
  }).then((response) => response.body?.cancel(), () => {});
  opened.defer(async () => {
    gone.abort();
    await reply;
  });
  return {
    gateway,
    path: "/",
    sends: /^\/page\/questions\/[^/]+$/,
    button: (page) => page.getByRole("button", { name: "Allow", exact: true }),
    ...kept(opened),
  };
}

/** A server whose tools are held until a person accepts their changes. */
async function changed(): Promise<Ground & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const file = join(folder, "tools.json");
  const write = (description: string) =>
    Deno.writeTextFile(
      file,
      JSON.stringify([{ name: "save", description, inputSchema: { type: "object" } }]),
    );
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER, file];
  const servers = { notes: { command: Deno.execPath(), args } };
  const config = { servers, security: { pin: "hold" } };
  await write("Saves a note");
  const first = opened.use(await openGateway(config));
  await first.ready();
  await first.close();
  await write("Sends everything away");
  const gateway = opened.use(await openGateway(config, first));
  await gateway.ready();
  return {
    gateway,
    path: "/servers/notes",
    sends: /^\/page\/servers\/notes\/accept$/,
    button: (page) => page.getByRole("button", { name: "Accept all" }),
    ...kept(opened),
  };
}

function kept(opened: AsyncDisposableStack): AsyncDisposable {
  const all = opened.move();
  return { [Symbol.asyncDispose]: () => all.disposeAsync() };
}

interface Stage extends AsyncDisposable {
  readonly page: Page;
  readonly button: Locator;
  /** Paths that forms were sent to. */
  readonly sent: readonly string[];
  /** Fails unless nothing was sent so far, the person reads so, and the next press counts. */
  expectRefused(press: () => Promise<void>): Promise<void>;
}

/** Opens the page with the button, once it takes presses. */
async function openStage(browser: Browser, ground: Ground): Promise<Stage> {
  const session = await signIn(browser, ground.gateway);
  const { page } = session;
  await page.evaluate(CLOCK);
  const button = ground.button(page);
  while (await button.count() === 0) await page.goto(ground.gateway.url + ground.path);
  await settled(page);
  const sent: string[] = [];
  await page.route("**", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return await route.fallback();
    sent.push(new URL(request.url()).pathname);
    await route.fulfill({ status: 204 }); // the page stays as it is
  });
  return {
    page,
    button,
    sent,
    async expectRefused(press) {
      await delay(200);
      assert.deepEqual(sent, []);
      assert.match(await page.locator("#refusal").innerText(), /^Nothing happened.*press again/i);
      await page.evaluate("startClock()");
      await settled(page);
      const request = page.waitForRequest((request) => request.method() === "POST");
      await press();
      assert.match(new URL((await request).url()).pathname, ground.sends);
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** Stops the clock of the pages that come from now on, so that each of them has only just come. */
const stopNext = (page: Page) => page.addInitScript(`{ ${CLOCK} stopClock(); }`);

/** Serves a page of another site that leads the window back as soon as a person does this on it. */
function serveForeign(event: string): { readonly url: string } & AsyncDisposable {
  const html = `<!doctype html><title>Elsewhere</title><body style="height: 100vh">
    <script>addEventListener("${event}", () => history.back(), { once: true });</script>`;
  const headers = { "content-type": "text/html" };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(html, { headers }),
  );
  return {
    url: `http://localhost:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function secondClick(browser: Browser, ground: Ground): Promise<void> {
  await using stage = await openStage(browser, ground);
  const { page, button } = stage;
  const box = await button.boundingBox() ?? assert.fail("the button is not in sight");
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const address = page.url();
  await using foreign = serveForeign("click");
  await page.goto(foreign.url);
  await stopNext(page);
  await page.mouse.move(...at, { steps: 5 });
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await page.waitForURL(address);
  await button.waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await stage.expectRefused(() => page.mouse.click(...at));
}

async function heldKey(browser: Browser): Promise<void> {
  await using ground = await untrusted();
  await using stage = await openStage(browser, ground);
  const { page, button } = stage;
  const address = page.url();
  await using foreign = serveForeign("keydown");
  await page.goto(foreign.url);
  await page.keyboard.down("Enter");
  await page.waitForURL(address);
  await button.focus();
  await settled(page);
  await page.evaluate(`{ ${CLOCK} stopClock(); }`);
  for (let count = 0; count < 3; count++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await stage.expectRefused(() => page.keyboard.press("Enter"));
}

async function broughtToFront(browser: Browser): Promise<void> {
  await using ground = await untrusted();
  await using stage = await openStage(browser, ground);
  const { page, button } = stage;
  const own = await page.context().newCDPSession(page);
  await own.send("Emulation.setFocusEmulationEnabled", { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  while (await page.evaluate("document.hasFocus()")) await delay(20);
  await page.evaluate(`{ ${CLOCK} stopClock(); }`);
  await page.bringToFront();
  while (!await page.evaluate("document.hasFocus()")) await delay(20);
  const box = await button.boundingBox() ?? assert.fail("the button is not in sight");
  await page.mouse.click(box.x + 5, box.y + 5);
  await stage.expectRefused(() => page.mouse.click(box.x + 5, box.y + 5));
}

async function typed(browser: Browser): Promise<void> {
  const gateway = await openGateway();
  await using ground = {
    gateway,
    path: "/tools?tool=ot__help",
    sends: /^\/page\/tools\/ot__help$/,
    button: (page: Page) => page.getByRole("button", { name: "Call it" }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
  await using stage = await openStage(browser, ground);
  const { page, button } = stage;
  await stopNext(page);
  await page.reload();
  const field = page.locator("form.call").locator("textarea, input").first();
  await field.focus();
  await page.keyboard.type("find files");
  const box = await button.boundingBox() ?? assert.fail("the button is not in sight");
  await page.mouse.click(box.x + 5, box.y + 5);
  await stage.expectRefused(async () => {
    assert.equal(await field.inputValue(), "find files");
    await page.mouse.click(box.x + 5, box.y + 5);
  });
}

async function remembered(browser: Browser): Promise<void> {
  await using ground = await untrusted();
  await using stage = await openStage(browser, ground);
  const { page, button } = stage;
  const box = await button.boundingBox() ?? assert.fail("the button is not in sight");
  // Playwright switches the memory of Chromium off.
  const event = 'new PageTransitionEvent("pageshow", { persisted: true })';
  await page.evaluate(`stopClock(), dispatchEvent(${event})`);
  await page.mouse.click(box.x + 5, box.y + 5);
  await stage.expectRefused(() => page.mouse.click(box.x + 5, box.y + 5));
}
