/** Files of the page that do not change: their content, and addresses that change with it. */

import { createHash } from "node:crypto";
import { HEADERS } from "./headers.ts";
import type { Frame } from "./views/layout.tsx";

const FILES = {
  style: ["style.css", "text/css; charset=utf-8"],
  script: ["script.js", "text/javascript; charset=utf-8"],
  presses: ["presses.js", "text/javascript; charset=utf-8"],
  icon: ["icon.svg", "image/svg+xml"],
} as const;

export interface Assets {
  readonly addresses: Frame["assets"];
  /** Response with the file of this name, undefined for an unknown one. */
  respond(name: string): Response | undefined;
}

/** Reads the files. */
export async function readAssets(): Promise<Assets> {
  const bodies = new Map<
    string,
    { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }
  >();
  async function read(key: keyof typeof FILES): Promise<string> {
    const [name, type] = FILES[key];
    const bytes = await Deno.readFile(new URL(`./assets/${name}`, import.meta.url));
    bodies.set(name, { bytes, type });
    const version = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    return `/page/${name}?v=${version}`;
  }
  const [style, script, presses, icon] = await Promise.all([
    read("style"),
    read("script"),
    read("presses"),
    read("icon"),
  ]);
  return {
    addresses: { style, script, presses, icon },
    respond(name) {
      const file = bodies.get(name);
      if (!file) return undefined;
      const cache = { "cache-control": "private, max-age=31536000, immutable" };
      const headers = { ...HEADERS, ...cache, "content-type": file.type };
      return new Response(file.bytes, { headers });
    },
  };
}
