/** Answers of an authorization server, as a browser brings them to this machine. */

import { createQueue, isForeignPeer, within } from "#base";

export interface CallbackListener extends AsyncDisposable {
  /** Redirect address. */
  readonly url: string;
  /** Parameters of each request, as they come; the function says which page the browser shows. */
  take(answer: (parameters: URLSearchParams) => Promise<CallbackPage>): void;
}

/** `wrong` is not the answer that is waited for. */
export type CallbackPage = "done" | "failed" | "wrong";

const PATH = "/callback";
const LAST_ANSWER_MS = 1_000;
const TEXTS = {
  done: [200, "Signed in", "You can close this window."],
  failed: [400, "Not signed in", "The program that asked for it says why."],
  wrong: [400, "Not signed in", "This address belongs to no sign-in that is waited for."],
} as const satisfies Record<CallbackPage, readonly [number, string, string]>;

/** Listens on this machine alone; on any port where none is given. Throws where the port is taken. */
export function listenForCallback(port = 0): CallbackListener {
  const handlers: ((parameters: URLSearchParams) => Promise<CallbackPage>)[] = [];
  const queue = createQueue();
  const end = new AbortController();
  const options = { hostname: "127.0.0.1", port, onListen() {}, signal: end.signal };
  const server = Deno.serve(options, async (request, { remoteAddr }) => {
    const { pathname, searchParams, host } = new URL(request.url);
    const [handler] = handlers;
    const isOurs = request.method === "GET" && pathname === PATH && host === address;
    // The address of a sign-in stands on the command line of the browser, which every user can read.
    if (!isOurs || !handler || isForeignPeer(remoteAddr, server.addr.port)) {
      return new Response("Not found\n", { status: 404 });
    }
    return page(await queue(() => handler(searchParams)));
  });
  const address = `127.0.0.1:${server.addr.port}`;
  return {
    url: redirectUrl(server.addr.port),
    take: (handler) => void handlers.push(handler),
    async [Symbol.asyncDispose]() {
      // A browser may keep a connection open that it does not use.
      if (!await within(server.shutdown(), LAST_ANSWER_MS)) end.abort();
      await server.finished;
    },
  };
}

/** Redirect address of a port. */
export function redirectUrl(port: number): string {
  return `http://127.0.0.1:${port}${PATH}`;
}

function page(name: CallbackPage): Response {
  const [status, title, text] = TEXTS[name];
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
    `<h1>${title}</h1><p>${text}</p></html>\n`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    },
  });
}
