/** A `fetch` without HTTP/2: of its frames, those that belong to no response are counted by no limit, and
 * a server could send them without end. */

/** Options of a client that speaks HTTP/1.1 alone. */
export const HTTP_1: Deno.CreateHttpClientOptions = { http1: true, http2: false };

let client: Deno.HttpClient | undefined;

/** The global `fetch` over HTTP/1.1. A client of the caller counts before its own. */
export const http1Fetch: typeof fetch = (input: string | URL | Request, init?: RequestInit) => {
  client ??= Deno.createHttpClient(HTTP_1);
  return fetch(input, { client, ...init } as RequestInit);
};
