/** Renewal in a separate process. A server that accepts a refresh token only once has invalidated
 * it before its answer arrives: the process that needs the token may be killed in between, the one
 * that waits for the answer must not be. */

import { isObject } from "#base";
import { AuthError } from "../errors.ts";
import type { CredentialStore } from "../store/credential_store.ts";
import type { AuthTarget } from "../target.ts";
import { isFresh } from "../tokens.ts";
import { renew, type Renewal, type RenewDeps } from "./renew.ts";

export interface RenewerDeps extends RenewDeps {
  /** Command that starts this program. */
  readonly program: readonly string[];
  /** Folder of the store. */
  readonly home: string;
}

export type Renewer = (target: AuthTarget, refused: string | undefined) => Promise<Renewal>;

interface Request {
  readonly home: string;
  readonly target: AuthTarget;
  readonly refused?: string;
}

const TURN_MS = 60_000;
const COMMAND = ["auth", "renew"];

/** Makes the function that renews tokens; a refresh token is spent in another process. */
export function createRenewer({ program, home, ...deps }: RenewerDeps): Renewer {
  const { store, now } = deps;
  return async (target, refused) => {
    using turn = await store.lock(target, "turn", { timeoutMs: TURN_MS });
    if (!turn) throw new AuthError("another process renews the sign-in and does not end");
    const tokens = (await store.read(target))?.tokens;
    if (tokens && isFresh(tokens, { now: now(), refused })) return "renewed";
    if (tokens?.refresh === undefined) return await renew(target, refused, deps);
    return await renewOutside(program, { home, target, refused });
  };
}

/** Answers a request of `createRenewer`, in the process that it started. */
export async function serveRenewal(
  text: string,
  { openStore, ...deps }: Omit<RenewDeps, "store"> & {
    readonly openStore: (home: string) => CredentialStore;
  },
): Promise<string> {
  const { home, target, refused }: Request = JSON.parse(text);
  try {
    const store = openStore(home);
    return JSON.stringify({ renewal: await renew(target, refused, { ...deps, store }) });
  } catch (error) {
    const reason = error instanceof AuthError ? error.reason : "the new token cannot be written";
    return JSON.stringify({ reason });
  }
}

async function renewOutside(
  [command = "", ...args]: readonly string[],
  request: Request,
): Promise<Renewal> {
  const child = new Deno.Command(command, {
    args: [...args, ...COMMAND],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    detached: true, // a signal to the group of this process does not reach it
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(request)));
  await writer.close();
  const { stdout } = await child.output();
  return readAnswer(new TextDecoder().decode(stdout));
}

function readAnswer(text: string): Renewal {
  const answer = parse(text);
  if (answer.renewal === "renewed" || answer.renewal === "needs_sign_in") return answer.renewal;
  throw new AuthError(
    typeof answer.reason === "string" ? answer.reason : "its renewal ended early",
  );
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) ? answer : {};
  } catch {
    // It was killed.
    return {};
  }
}
