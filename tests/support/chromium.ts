/** Chromium, driven by Playwright. */

import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-proxy-server",
];

/** Path of the browser; undefined on a machine without one. */
export function findChromium(): string | undefined {
  return [Deno.env.get("CHROMIUM") ?? "", ...PLACES].find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Starts the browser. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium();
  assert.ok(executablePath, "No Chromium here: .ci/run installs it");
  return await chromium.launch({ executablePath, args: FLAGS });
}
