/** Questions of agents that cannot ask by themselves, answered on the page. */

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { fixture } from "../../support/servers.ts";
import { newClient, overHttp, textOf } from "../mcp/clients.ts";
import { openSession } from "./browser_session.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { expectAccessible, settled, signIn } from "./chromium.ts";

const ignore = findChromium() === undefined;
const MARKUP = `<img src=x onerror=alert(1)>"'</pre><script>alert(2)</script>`;

/** Adds up how far things have moved by themselves. */
const SHIFTS = `globalThis.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: "layout-shift", buffered: false });`;

async function open(security: Record<string, unknown> = {}): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    security: { ask: ["git.echo", "git.pid"], ...security },
  });
  await gateway.ready();
  return gateway;
}

/** Runs a command of an MCP client that cannot show forms; resolves with the text of the reply. */
async function ask(gateway: TestGateway, command: string): Promise<string> {
  await using connection = await overHttp(gateway, newClient("legacy"));
  return textOf(await connection.client.callTool({ name: "run", arguments: { command } }));
}

Deno.test({ name: "questions are answered in a browser", ignore }, async (t) => {
  await using browser = await openChromium();
  await t.step("by keyboard, while nothing moves", () => byKeyboard(browser));
  await t.step("without script, by a click", () => withoutScript(browser));
  await t.step("ten clients ask at once, and no question is lost", () => tenClients(browser));
  await t.step("a plan, as a whole and in part", () => plans(browser));
  await t.step("the first answer counts, wherever it comes from", () => elsewhere(browser));
});

async function byKeyboard(browser: Browser): Promise<void> {
  await using gateway = await open();
  await using session = await signIn(browser, gateway);
  const { page, complaints } = session;
  await page.getByText("Nothing waits for you").waitFor();
  await page.locator("#live.ok").waitFor();
  await page.evaluate(SHIFTS);
  const allowed = ask(gateway, `git.echo(name=${JSON.stringify(MARKUP)})`);
  const card = page.locator(".question");
  await card.waitFor();
  assert.match(await card.innerText(), /git\.echo[^]*<img src=x onerror=alert\(1\)>/);
  await expectAccessible(page);
  assert.equal(await page.title().then((title) => title.startsWith("(1) Now")), true);
  const refused = ask(gateway, "git.pid()");
  await card.nth(1).waitFor();
  assert.equal(await page.evaluate("shift"), 0);

  await page.keyboard.press("Tab");
  for (let tries = 0; tries < 30 && !await isFocused(page); tries++) {
    await page.keyboard.press("Tab");
  }
  await settled(page);
  await page.keyboard.press("a");
  assert.deepEqual(JSON.parse(await allowed), { name: MARKUP });
  // The focus goes on to the next question.
  await page.waitForFunction(`document.activeElement?.innerText.includes("git.pid")`);
  await settled(page);
  await page.keyboard.press("n");
  assert.match(await refused, /declined/);
  await page.getByText("Nothing waits for you").waitFor();

  const whole = ask(gateway, "git.echo(a=1); git.echo(a=2)");
  await card.waitFor();
  await card.focus();
  await settled(page);
  await page.keyboard.press("r");
  assert.deepEqual(JSON.parse(await whole), { a: 2 });
  assert.deepEqual(complaints, []);
}

function isFocused(page: Page): Promise<boolean> {
  return page.evaluate(`document.activeElement?.matches(".question") === true`);
}

async function withoutScript(browser: Browser): Promise<void> {
  await using gateway = await open();
  await using session = await signIn(browser, gateway, { javaScriptEnabled: false });
  const { page } = session;
  const reply = ask(gateway, "git.echo(a=1)");
  while (await page.locator(".question").count() === 0) await page.goto(gateway.url);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  assert.deepEqual(JSON.parse(await reply), { a: 1 });
  await page.getByText("Nothing waits for you").waitFor();
}

async function tenClients(browser: Browser): Promise<void> {
  await using gateway = await open();
  await using session = await signIn(browser, gateway);
  const { page } = session;
  await page.locator("#live.ok").waitFor();
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const replies = numbers.map((number) => ask(gateway, `git.echo(n=${number})`));
  await page.locator(".question").nth(9).waitFor();
  assert.equal(await page.locator(".question").count(), 10);
  for (const number of numbers) {
    const card = page.locator(".question").filter({ hasText: `"n": ${number}` });
    const name = number % 2 ? "Refuse" : "Allow";
    const button = card.getByRole("button", { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await settled(page);
    await button.click();
  }
  const texts = await Promise.all(replies);
  for (const [number, text] of texts.entries()) {
    if (number % 2) assert.match(text, /declined/);
    else assert.deepEqual(JSON.parse(text), { n: number });
  }
  await page.getByText("Nothing waits for you").waitFor();
}

async function plans(browser: Browser): Promise<void> {
  const rules = [{ tool: "git.echo", when: "args.a > 1", then: "ask", because: "Above one" }];
  await using gateway = await open({ approve: "plan", rules });
  await using session = await signIn(browser, gateway);
  const { page, complaints } = session;
  const program = "one = git.echo(a=1)\ntry { two = git.echo(a=2); return [one, two] } " +
    "catch (error) { return [one, error.code] }";
  const some = ask(gateway, program);
  const card = page.locator(".question");
  await card.waitFor();
  assert.match(
    await card.innerText(),
    /Program[^]*2 calls[^]*git\.echo[^]*Line 1[^]*"a": 1[^]*Above one[^]*"a": 2/,
  );
  await expectAccessible(page);
  await settled(page);
  await card.getByRole("checkbox").nth(1).uncheck();
  await page.keyboard.press("a");
  assert.deepEqual(JSON.parse(await some), [{ a: 1 }, "blocked"]);

  const whole = ask(gateway, program);
  await card.waitFor();
  await settled(page);
  await card.getByRole("checkbox").first().uncheck();
  await card.getByRole("checkbox").nth(1).uncheck();
  await card.getByRole("button", { name: "Allow what is chosen" }).click();
  await card.getByText("no call is chosen").waitFor();
  await settled(page);
  for (const index of [0, 1]) await card.getByRole("checkbox").nth(index).check();
  await card.getByRole("button", { name: "Allow what is chosen" }).click();
  assert.deepEqual(JSON.parse(await whole), [{ a: 1 }, { a: 2 }]);

  const none = ask(gateway, program);
  await card.waitFor();
  await card.focus();
  await settled(page);
  await page.keyboard.press("n");
  assert.match(await none, /declined/);
  assert.deepEqual(complaints.filter((text) => !/400/.test(text)), []);
}

async function elsewhere(browser: Browser): Promise<void> {
  await using gateway = await open();
  await using session = await signIn(browser, gateway);
  const { page } = session;
  await page.locator("#live.ok").waitFor();
  const reply = ask(gateway, "git.echo(a=1)");
  const other = ask(gateway, "git.echo(a=2)");
  await page.locator(".question").nth(1).waitFor();
  const list: { id: string; arguments: { a: number } }[] = await (await gateway.fetch("/questions"))
    .json();
  const id = list.find(({ arguments: { a } }) => a === 1)?.id ?? "";
  assert.equal((await gateway.post(`/questions/${id}`, { allow: "call" })).status, 200);
  assert.deepEqual(JSON.parse(await reply), { a: 1 });
  await page.locator(".questions > [inert]").waitFor();
  const second = await openSession(gateway);
  const late = await second.submit(`/page/questions/${id}`, { allow: "no" });
  assert.equal(late.status, 404);
  assert.match(await late.text(), /was answered/);
  await settled(page);
  await page.locator(".questions > li:not([inert]) button[value=no]").click();
  assert.match(await other, /declined/);
}

Deno.test("a form answers no question with a foreign origin, or in a wrong form", async () => {
  await using gateway = await open();
  const browser = await openSession(gateway);
  const reply = ask(gateway, "git.echo(a=1)");
  let id = "";
  while (id === "") {
    const [question] = await (await browser.fetch("/questions")).json();
    id = question?.id ?? "";
  }
  const path = `/page/questions/${id}`;
  const rows: [Record<string, string>, HeadersInit, number][] = [
    [{ allow: "call" }, { origin: "http://evil.example" }, 403],
    [{ allow: "call" }, { origin: "null" }, 403],
    [{ allow: "call" }, { "sec-fetch-site": "cross-site" }, 403],
    [{ allow: "call" }, { "content-type": "text/plain" }, 415],
    [{ allow: "maybe" }, {}, 400],
    [{ allow: "all" }, {}, 400],
    [{}, {}, 400],
  ];
  for (const [fields, headers, status] of rows) {
    const response = await browser.submit(path, fields, headers);
    await response.body?.cancel();
    assert.equal(response.status, status, JSON.stringify([fields, headers]));
  }
  const json = await browser.fetch(`/questions/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"allow": "call"}',
  });
  await json.body?.cancel();
  assert.equal(json.status, 403);
  const response = await browser.submit(path, { allow: "no" });
  assert.deepEqual([response.status, response.headers.get("location")], [303, "/"]);
  assert.match(await reply, /declined/);
});

for (const approve of ["call", "plan"]) {
  Deno.test(`the page shows short arguments first, long ones by both ends (${approve})`, async () => {
    await using gateway = await open({ approve });
    const browser = await openSession(gateway);
    const body = '"Dear all, " + "x".repeat(21000) + " as told"';
    const more = 'list: Array(500).fill(7), deep: { a: { cc: "eve@x.example" } }, n: 7';
    const reply = ask(gateway, `git.echo({ body: ${body}, ${more}, to: "eve\\u202e@x.example" })`);
    let id = "";
    while (id === "") {
      const [question] = await (await browser.fetch("/questions")).json();
      id = question?.id ?? "";
    }
    const html = (await (await browser.fetch("/")).text()).replaceAll("&quot;", '"');
    const code = /<pre class="code"[^>]*aria-label="Arguments[^>]*><code>(?<code>[^<]*)/.exec(html)
      ?.groups?.code ?? "";
    assert.match(code, /^"n": 7\n"to": "eve\\u202e@x\.example"\n"deep": \{\n/);
    assert.match(code, /"cc": "eve@x\.example"\n {2}\}\n\}\n"body": "Dear all, x+/);
    assert.match(code, /x+ as told"/);
    assert.match(code, /"cc": "eve@x\.example"/);
    assert.match(code, /… \(\d+ more items\) …/);
    assert.ok(code.length < 6_500, String(code.length));
    await (await gateway.post(`/questions/${id}`, { allow: "no" })).body?.cancel();
    assert.match(await reply, /declined/);
  });
}

Deno.test("the page shows every call of a long plan", async () => {
  await using gateway = await open({ approve: "plan" });
  const browser = await openSession(gateway);
  const reply = ask(gateway, "for (let a = 0; a < 600; a++) git.echo({ a })\n'done'");
  let id = "";
  while (id === "") {
    const [question] = await (await browser.fetch("/questions")).json();
    id = question?.id ?? "";
  }
  const page = await (await browser.fetch("/")).text();
  const form = new URLSearchParams({ allow: "all" });
  for (const [, place = ""] of page.matchAll(/name="calls" value="(\d+)"/g)) {
    form.append("calls", place);
  }
  const response = await browser.fetch(`/page/questions/${id}`, {
    method: "POST",
    headers: { origin: gateway.url, "sec-fetch-site": "same-origin" },
    body: form,
  });
  assert.equal(response.status, 303);
  assert.equal(await reply, "done");
});
