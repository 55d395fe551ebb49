/** A `fetch` with certificates of its own: of a private authority, and of the client (mutual TLS). */

import { HTTP_1 } from "#base";
import type { Fetch } from "./plain_fetch.ts";

/** Paths of PEM files. */
export interface TlsFiles {
  /** Authorities beside those of the system. */
  readonly ca?: string;
  /** Certificate of the client, with its chain. */
  readonly cert?: string;
  /** Private key of the client. */
  readonly key?: string;
}

interface Opened {
  /** When the files were changed. */
  readonly times: string;
  readonly client: Deno.HttpClient;
}

/** Wraps `fetch`. The files are read again when they change; a missing or wrong one fails the
 * request. */
export function createTlsFetch(fetch: Fetch, files: TlsFiles): Fetch {
  let opened: Promise<Opened> | undefined;

  async function clientNow(): Promise<Deno.HttpClient> {
    const times = await timesOf(files);
    const before = await opened?.catch(() => undefined);
    if (!before || before.times !== times) opened = open(files, times);
    return (await (opened as Promise<Opened>)).client;
  }

  return async (input, init) => {
    const client = await clientNow();
    return await fetch(input, { ...init, client } as RequestInit);
  };
}

async function open({ ca, cert, key }: TlsFiles, times: string): Promise<Opened> {
  const [caText, certText, keyText] = await Promise.all([ca, cert, key].map(read));
  const client = Deno.createHttpClient({
    ...HTTP_1,
    ...(caText === undefined ? {} : { caCerts: [caText] }),
    ...(certText === undefined || keyText === undefined ? {} : { cert: certText, key: keyText }),
  });
  return { times, client };
}

async function read(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : await Deno.readTextFile(path);
}

async function timesOf({ ca, cert, key }: TlsFiles): Promise<string> {
  const paths = [ca, cert, key].filter((path) => path !== undefined);
  const infos = await Promise.all(paths.map((path) => Deno.stat(path)));
  return infos.map(({ mtime, size }) => `${mtime?.getTime()}:${size}`).join(" ");
}
