/** The page in Chromium, with an empty profile for every test. */

import assert from "node:assert/strict";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { TestGateway } from "../../support/gateway.ts";
import { issueCode } from "./browser_session.ts";

export interface SignedIn extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the console, errors of scripts, and requests that failed or went elsewhere. */
  readonly complaints: readonly string[];
}

export type ContextOptions = Parameters<Browser["newContext"]>[0];

/** Opens the page of a gateway as a person does, in a profile of its own. */
export async function signIn(
  browser: Browser,
  gateway: TestGateway,
  options: ContextOptions = {},
): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${gateway.url}/`)) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(`${gateway.url}/?code=${await issueCode(gateway)}`);
  return {
    context,
    page,
    complaints,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Clock of the page, which a test stops: nothing takes a press for 700 ms, and a busy machine would
 * bring one too late. */
export const CLOCK = `
  const time = performance.now.bind(performance);
  let stopped;
  let lost = 0;
  performance.now = () => stopped ?? time() - lost;
  globalThis.stopClock = () => void (stopped = performance.now());
  globalThis.startClock = () => {
    lost = time() - stopped;
    stopped = undefined;
  };
`;

/** Waits until the page and the questions that are in view take presses. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`(${runSettled})()`);
}

/** Runs in the page, which looks ten times a second where its questions are, and whether it is early. */
const runSettled = `async () => {
  const isUnsettled = (card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return card.matches(".settling, .given") && top < innerHeight && bottom > 0;
  };
  do await new Promise((go) => setTimeout(go, 200));
  while (
    document.documentElement.dataset.presses !== "taken" ||
    [...document.querySelectorAll(".question")].some(isUnsettled)
  );
}`;

/** Fails where `axe-core` finds something serious on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  const findings = await page.evaluate(`(${runAxe})(${JSON.stringify(axe.source)})`) as Finding[];
  const serious = findings.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious, [], page.url());
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly string[];
}

/** Runs in the page. */
const runAxe = `async (source) => {
  if (!globalThis.axe) globalThis.eval(source);
  const { violations } = await globalThis.axe.run(document);
  return violations.map(({ id, impact, nodes }) => ({
    id, impact, nodes: nodes.map(({ html, failureSummary }) => html + " " + failureSummary),
  }));
}`;
