/** Presses that were meant for one question, and reach the page when another is there. */

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { fixture } from "../../support/servers.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { CLOCK, type ContextOptions, settled, signIn } from "./chromium.ts";

const ignore = findChromium() === undefined;

interface Ground {
  readonly browser: Browser;
  readonly gateway: TestGateway;
}

Deno.test({ name: "a press answers no question that has just come", ignore }, async (t) => {
  await using ground = await openGround();
  await t.step("a second click where the first one was", () => clickedTwice(ground));
  for (const index of [2, 4]) {
    await t.step(`a second click in a list that scrolls: ${index}`, () => inLong(ground, index));
  }
  await t.step("a key pressed twice", () => pressedTwice(ground));
  await t.step("a second key, with the focus on the question before", () => backwards(ground));
  await t.step("a key for a question that is withdrawn meanwhile", () => withdrawn(ground));
  await t.step("a key for one that was answered unseen", () => answeredUnseen(ground));
  await t.step("a click where a question appears", () => appearing(ground));
  await t.step("a click where one was when the page was opened", () => opened(ground));
  for (const [name, how] of Object.entries(WAYS)) {
    const title = `one for a question that another replaces: ${name}`;
    await t.step(title, () => replaced(ground, how));
  }
});

Deno.test({ name: "a person who comes to a question answers it at once", ignore }, async (t) => {
  await using ground = await openGround();
  await t.step("with the pointer, one after the other", () => pointed(ground));
  await t.step("with the keyboard", () => focused(ground));
  await t.step("with a no, wherever the focus comes from", () => refusing(ground));
});

async function openGround(): Promise<Ground & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const browser = opened.use(await openChromium());
  const { command, args } = fixture("good");
  const gateway = opened.use(
    await openGateway({
      servers: { git: { command, args } },
      security: { ask: ["git.echo"] },
    }),
  );
  await gateway.ready();
  const all = opened.move();
  return { browser, gateway, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly page: Page;
  /** Asks one more question, which is at the end; the client leaves with the signal. */
  ask(signal?: AbortSignal): Promise<void>;
  /** Paths that answers were sent to. */
  readonly sent: readonly string[];
  /** Ids of the questions that are open. */
  open(): Promise<string[]>;
}

async function openStage(
  { browser, gateway }: Ground,
  questions: number,
  options?: ContextOptions,
): Promise<Stage> {
  const session = await signIn(browser, gateway, options);
  const { page } = session;
  await page.locator("#live.ok").waitFor();
  await page.evaluate(CLOCK);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  const replies: Promise<unknown>[] = [];
  let count = 0;
  const stage: Stage = {
    gateway,
    page,
    sent,
    async ask(signal) {
      const body = JSON.stringify({ command: `git.echo(n=${++count})`, wait: true });
      const headers = { "content-type": "application/json" };
      const reply = gateway.fetch("/run", { method: "POST", headers, body, signal });
      replies.push(reply.then((response) => response.body?.cancel(), () => {}));
      await page.locator(".question").filter({ hasText: `"n": ${count}` }).waitFor();
    },
    async open() {
      const list: { id: string }[] = await (await gateway.fetch("/questions")).json();
      return list.map(({ id }) => id);
    },
    async [Symbol.asyncDispose]() {
      for (const id of await this.open()) {
        await (await gateway.post(`/questions/${id}`, { allow: "no" })).body?.cancel();
      }
      await Promise.all(replies);
      await session[Symbol.asyncDispose]();
    },
  };
  for (let left = questions; left > 0; left--) await stage.ask();
  return stage;
}

const stopClock = (page: Page) => page.evaluate("stopClock()");

/** Holds the answers that were sent against those that must have been, after a press that came right
 * after a change of the questions; the clock goes on. */
async function expectSent(
  { page, sent }: Stage,
  ids: readonly (string | undefined)[],
): Promise<void> {
  await page.evaluate("startClock()");
  assert.deepEqual(sent, ids.map((id) => `/page/questions/${id}`));
}

type Point = { readonly x: number; readonly y: number };

/** Middle of the button that allows a question. */
async function allowOf(page: Page, index: number): Promise<Point> {
  const box = await page.locator(".question button[value=call]").nth(index).boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const open = (page: Page) => page.locator(".questions > li:not([inert]) .question");

async function clickedTwice(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 3);
  const { page } = stage;
  await settled(page);
  const at = await allowOf(page, 0);
  const [first] = await stage.open();
  await stopClock(page);
  await page.mouse.click(at.x, at.y);
  await open(page).nth(2).waitFor({ state: "detached" });
  await page.mouse.click(at.x, at.y);
  await expectSent(stage, [first]);
}

/** Question at this place of a list that is longer than its frame. */
async function inLong(ground: Ground, index: number): Promise<void> {
  await using stage = await openStage(ground, 5, { viewport: { width: 1_000, height: 800 } });
  const { page } = stage;
  await settled(page);
  await open(page).nth(index).scrollIntoViewIfNeeded();
  const at = await allowOf(page, index);
  const id = (await stage.open())[index];
  await stopClock(page);
  await page.mouse.click(at.x, at.y);
  await open(page).nth(4).waitFor({ state: "detached" });
  await page.mouse.click(at.x, at.y);
  await page.evaluate("new Promise((go) => setTimeout(go, 200))");
  await expectSent(stage, [id]);
}

async function pressedTwice(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 3);
  const { page, sent } = stage;
  await settled(page);
  await open(page).first().focus();
  const [first, second] = await stage.open();
  await stopClock(page);
  await page.keyboard.press("a");
  await open(page).nth(2).waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await expectSent(stage, [first]);
  await settled(page);
  await page.keyboard.press("a");
  await open(page).nth(1).waitFor({ state: "detached" });
  assert.deepEqual(sent.slice(1), [`/page/questions/${second}`]);
}

async function backwards(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 2);
  const { page, sent } = stage;
  const [, second] = await stage.open();
  await settled(page);
  await open(page).nth(1).focus();
  await stopClock(page);
  await page.keyboard.press("a");
  await open(page).nth(1).waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await expectSent(stage, [second]);
  await settled(page);
  await page.keyboard.press("a");
  await open(page).waitFor({ state: "detached" });
  assert.equal(sent.length, 2);
}

async function withdrawn(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 0);
  const { page, sent } = stage;
  const leaving = new AbortController();
  await stage.ask(leaving.signal);
  await stage.ask();
  await settled(page);
  await open(page).first().focus();
  leaving.abort();
  await page.locator(".questions > [inert]").waitFor();
  await settled(page);
  await page.keyboard.press("a");
  await page.evaluate("1");
  assert.deepEqual(sent, []);
  await page.keyboard.press("Tab");
  const isOnNext = `document.activeElement.closest(".questions > li:not([inert])") !== null`;
  assert.equal(await page.evaluate(isOnNext), true);
}

async function answeredUnseen(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 2);
  const { gateway, page, sent } = stage;
  await settled(page);
  await page.route(`${gateway.url}/`, (route) => route.abort());
  await open(page).first().focus();
  const [id] = await stage.open();
  assert.equal((await gateway.post(`/questions/${id}`, { allow: "no" })).status, 200);
  await page.keyboard.press("a");
  await page.locator(".questions > [inert]").waitFor();
  await settled(page);
  await page.keyboard.press("a");
  await page.evaluate("1");
  assert.deepEqual(sent, [`/page/questions/${id}`]);
}

async function appearing(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 2);
  const { page, sent } = stage;
  const [first, second] = [await allowOf(page, 0), await allowOf(page, 1)];
  await page.mouse.move(second.x, 2 * second.y - first.y);
  await stopClock(page);
  await stage.ask();
  await click(page);
  await expectSent(stage, []);
  await settled(page);
  await click(page);
  await open(page).nth(2).waitFor({ state: "detached" });
  assert.equal(sent.length, 1);
}

interface Way {
  readonly options?: ContextOptions;
  /** Brings the pointer to the place of the button. */
  readonly come?: (page: Page, at: Point) => Promise<void>;
  readonly press: (page: Page, at: Point) => Promise<void>;
}

async function click(page: Page): Promise<void> {
  await page.mouse.down();
  await page.mouse.up();
}

const WAYS: Readonly<Record<string, Way>> = {
  "a click": { come: (page, { x, y }) => page.mouse.move(x, y), press: click },
  "a click with a tremor": {
    come: (page, { x, y }) => page.mouse.move(x, y),
    async press(page, { x, y }) {
      await page.mouse.move(x + 1, y);
      await click(page);
    },
  },
  "a click of a mouse on its way": {
    async press(page, { x, y }) {
      await page.mouse.move(x, y, { steps: 5 });
      await click(page);
    },
  },
  "a click after scrolling": {
    options: { viewport: { width: 1_000, height: 420 } },
    async come(page, { x, y }) {
      await page.mouse.move(x, y - 150);
      await page.mouse.wheel(0, 150);
      await page.evaluate("new Promise((go) => setTimeout(go, 400))");
    },
    async press(page, { x, y }) {
      await page.mouse.move(x + 1, y - 150);
      await click(page);
    },
  },
  "a tap": {
    options: { hasTouch: true },
    press: (page, { x, y }) => page.touchscreen.tap(x, y),
  },
};

/** A question leaves when the person is about to answer it; another comes to its place. */
async function replaced(ground: Ground, { options, come, press }: Way): Promise<void> {
  await using stage = await openStage(ground, 0, options);
  const { page } = stage;
  const leaving = new AbortController();
  await stage.ask(leaving.signal);
  await settled(page);
  const at = await allowOf(page, 0);
  await come?.(page, at);
  await stopClock(page);
  leaving.abort();
  await open(page).waitFor({ state: "detached" });
  await stage.ask();
  await press(page, at);
  await expectSent(stage, []);
}

async function pointed(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 3);
  const { page, sent } = stage;
  const ids = await stage.open();
  const answers = ids.map((id) => page.locator(`form[action="/page/questions/${id}"]`));
  for (const form of answers) {
    await form.getByRole("button", { name: "Allow", exact: true }).click();
  }
  await page.getByText("Nothing waits for you").waitFor();
  assert.deepEqual(sent, ids.map((id) => `/page/questions/${id}`));
}

async function focused(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 1);
  await open(stage.page).focus();
  await stage.page.keyboard.press("a");
  await open(stage.page).waitFor({ state: "detached" });
}

async function refusing(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 2);
  const { page, sent } = stage;
  await open(page).first().focus();
  await page.keyboard.press("n");
  await open(page).nth(1).waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await open(page).waitFor({ state: "detached" });
  assert.equal(sent.length, 2);
}

async function opened(ground: Ground): Promise<void> {
  await using stage = await openStage(ground, 1);
  const { page } = stage;
  const [id] = await stage.open();
  await settled(page);
  const at = await allowOf(page, 0);
  await page.mouse.move(at.x, at.y);
  await page.addInitScript(`{ ${CLOCK} stopClock(); }`);
  await page.reload();
  await page.mouse.move(at.x + 1, at.y);
  await click(page);
  await page.evaluate("new Promise((go) => setTimeout(go, 200))");
  await expectSent(stage, []);
  await settled(page);
  await click(page);
  await open(page).waitFor({ state: "detached" });
  assert.deepEqual(stage.sent, [`/page/questions/${id}`]);
}
