/** `toolscript auth login`: signs in to a server, in a browser or on another device. */

import { ChunkReader, readLines } from "#base";
import { AuthError, receiverText, signInAndStore } from "#packs/auth";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { interruptible } from "../interruptible.ts";
import { browserOptions, openBrowser } from "../ui/open_browser.ts";
import { type AuthServer, findServer, labelOf, openStore } from "./server.ts";

const TIMEOUT_MS = 120_000;
const MOST_LINE = 64 * 1024;

interface Prompt {
  readonly url: string;
  readonly code?: string;
  readonly otherIssuer?: string;
  readonly receiver?: string;
}

/** Signs in, and waits up to 120 s for the person. Throws `CliError`. */
export async function login(context: Context): Promise<number> {
  const server = await findServer(context);
  return await interruptible(context.io, (interrupted) => signIn(context, server, interrupted));
}

async function signIn(
  context: Context,
  { target }: AuthServer,
  interrupted: AbortSignal,
): Promise<number> {
  const { io, print, options } = context;
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([interrupted, late]);
  const { settings } = target;
  const grant = options.device === true ? "device" as const : settings.grant;
  const pasted = options.paste === true && grant === "authorization_code"
    ? readLines(new ChunkReader(io.stdin.readable), MOST_LINE)
    : undefined;
  try {
    await signInAndStore({ ...target, settings: { ...settings, grant } }, {
      show: (prompt) =>
        show(prompt, { context, label: labelOf(target), isPasted: pasted !== undefined }),
      pasted,
      onDropped: () => print.warn("That is not the answer to this sign-in: it was dropped"),
      signal,
    }, { store: openStore(context), fetch: io.fetch, now: io.now });
  } catch (error) {
    interrupted.throwIfAborted();
    throw explained(error, { label: labelOf(target), isLate: late.aborted });
  }
  await print.say(`Signed in to ${labelOf(target)}`);
  return 0;
}

interface ShowOptions {
  readonly context: Context;
  readonly label: string;
  readonly isPasted: boolean;
}

/** Shows the address: in the browser, or as text. */
async function show(
  { url, code, otherIssuer, receiver }: Prompt,
  { context: { io, print, options }, label, isPasted }: ShowOptions,
): Promise<void> {
  if (otherIssuer !== undefined) {
    await print.warn(`The server names another issuer than before: ${otherIssuer}`);
  }
  const hosts = receiverText({ url, receiver });
  if (hosts !== undefined) await print.say(hosts);
  if (code !== undefined) {
    await print.say(`To sign in to ${label}, open this address and type the code:`);
    await print.data(`${url}\n${code}`);
    return;
  }
  const prints = options["no-browser"] === true || isPasted;
  if (!prints && await openBrowser(url, await browserOptions(io))) {
    await print.say(`Opened the browser to sign in to ${label}; if nothing opens: ${url}`);
    return;
  }
  if (!prints) await print.warn("Cannot open a browser (set BROWSER, or use --paste)");
  await print.say(`To sign in to ${label}, open this address:`);
  await print.data(url);
  if (isPasted) await print.say("Then paste the address that the browser ends at:");
}

function explained(
  error: unknown,
  { label, isLate }: { readonly label: string; readonly isLate: boolean },
): CliError {
  const seconds = TIMEOUT_MS / 1000;
  const why = isLate
    ? `no answer within ${seconds} s: try again`
    : error instanceof AuthError
    ? error.reason
    : error instanceof Error && error.message.startsWith("Cannot")
    ? error.message
    : "it failed";
  return new CliError(1, `Cannot sign in to ${label}: ${why}`, { cause: error });
}
