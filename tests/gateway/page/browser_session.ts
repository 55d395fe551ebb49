/** What a browser does to open the page, without a browser. */

import assert from "node:assert/strict";
import type { TestGateway } from "../../support/gateway.ts";

export interface BrowserSession {
  /** The cookie, as a browser sends it. */
  readonly cookie: string;
  /** A request as the page makes it. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a form of the page. */
  submit(path: string, fields?: Record<string, string>, headers?: HeadersInit): Promise<Response>;
}

/** Makes a code as the command line does. */
export async function issueCode(gateway: TestGateway): Promise<string> {
  const response = await gateway.post("/code", {});
  assert.equal(response.status, 200);
  return (await response.json()).code;
}

/** Opens a link with a code, and keeps the cookie. */
export async function openSession(gateway: TestGateway): Promise<BrowserSession> {
  const { url } = gateway;
  const link = `${url}/?code=${await issueCode(gateway)}`;
  const response = await fetch(link, { redirect: "manual" });
  await response.body?.cancel();
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    return fetch(`${url}${path}`, { redirect: "manual", ...init, headers });
  }
  return {
    cookie,
    fetch: request,
    submit(path, fields = {}, headers = {}) {
      return request(path, {
        method: "POST",
        headers: { origin: url, "sec-fetch-site": "same-origin", ...headers },
        body: new URLSearchParams(fields),
      });
    },
  };
}
