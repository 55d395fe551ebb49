/** Token keeper: one for the process. It knows no transport: each gets `token` and `onUnauthorized`. */

import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { type Log, once, sleep, type Turn } from "#base";
import type { Peer } from "../../peer.ts";
import type { Fetch } from "../connect/plain_fetch.ts";
import { GivenTokens, type TokenOwner } from "./conceal.ts";
import { AuthError, SignInNeeded } from "./errors.ts";
import type { Prompt } from "./flow/code_flow.ts";
import type { Renewal } from "./renewal/renew.ts";
import { type CredentialStore, idOf } from "./store/credential_store.ts";
import type { Credential } from "./store/types.ts";
import type { AuthTarget } from "./target.ts";
import { isFresh } from "./tokens.ts";

export interface SignInQuestion extends Prompt {
  /** Name of the server in the configuration. */
  readonly server: string;
  /** Empty where it has none. */
  readonly account: string;
}

export interface AskContext {
  /** Client of the call that waits. */
  readonly peer?: Peer;
  readonly run?: string;
  readonly signal: AbortSignal;
}

/** Persons who can be asked to sign in. */
export interface SignInAsker {
  canAsk(context: AskContext): boolean;
  /** Shows the address until the signal is aborted; resolves earlier only with the reason why no
   * sign-in will come. */
  ask(question: SignInQuestion, context: AskContext): Promise<SignInRefusal>;
}

export interface KeeperDeps {
  readonly store: CredentialStore;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
  readonly renew: (target: AuthTarget, refused: string | undefined) => Promise<Renewal>;
  /** Missing where no person can be asked. */
  readonly asker?: SignInAsker;
  /** Time that a person has, milliseconds. */
  readonly askTimeoutMs?: () => number;
}

export interface TokenKeeper {
  /** Tokens of one server and account; the same object for the same target. */
  authOf(target: AuthTarget): ServerAuth;
}

export type SignInRefusal = "declined" | "unanswerable";
export type SignInOutcome = "signed_in" | SignInRefusal;

const POLL_MS = 500;
const ASK_TIMEOUT_MS = 120_000;

/** Makes the keeper. */
export function createTokenKeeper(deps: KeeperDeps): TokenKeeper {
  const all = new Map<string, ServerAuth>();
  const givenTo = new Map<string, GivenTokens>();
  return {
    authOf(target) {
      const key = JSON.stringify([idOf(target), target.settings]);
      const { host } = new URL(target.url);
      const tokens = givenTo.get(host) ?? new GivenTokens();
      givenTo.set(host, tokens);
      const auth = all.get(key) ?? new ServerAuth(target, deps, tokens);
      all.set(key, auth);
      return auth;
    },
  };
}

/** Tokens of one server and account. */
export class ServerAuth {
  readonly target: AuthTarget;
  readonly #account: string;
  readonly #deps: KeeperDeps;
  /** Access tokens that a server refused, by its answer. */
  readonly #refusals = new WeakMap<Response, string>();
  /** Tokens of all accounts at its host, which may send to one account what another sent. */
  readonly #given: GivenTokens;
  #known: { readonly version: string | undefined; readonly credential?: Credential } | undefined;
  #renewing: Promise<Renewal> | undefined;
  #asking: { readonly done: Promise<SignInOutcome>; leave: () => void; users: number } | undefined;

  constructor(target: AuthTarget, deps: KeeperDeps, tokens: GivenTokens) {
    this.target = target;
    this.#account = JSON.stringify(idOf(target));
    this.#deps = deps;
    this.#given = tokens;
  }

  /** Access token for the next request; renewed first where its time is over. */
  readonly token = async (): Promise<string | undefined> => {
    const { now, log } = this.#deps;
    const credential = await this.#credential();
    const tokens = credential?.tokens;
    if (tokens && isFresh(tokens, { now: now() })) return tokens.access;
    if (!tokens && !this.#renewsItself) return undefined;
    try {
      const fresh = await this.freshToken();
      if (fresh !== undefined) return fresh;
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      // The server decides: the clock of this machine may be wrong.
      log("warning", "Cannot renew a sign-in", { server: this.target.server, why: error.reason });
    }
    return (await this.#credential())?.tokens?.access;
  };

  /** Access token whose time is not over; undefined without one. Throws `AuthError`. */
  async freshToken(): Promise<string | undefined> {
    const now = this.#deps.now();
    let tokens = (await this.#credential())?.tokens;
    if (!tokens || !isFresh(tokens, { now })) {
      if (await this.#renew(undefined) !== "renewed") return undefined;
      tokens = (await this.#credential())?.tokens;
    }
    return tokens?.access;
  }

  /** Finds another token after a refusal. Throws `SignInNeeded` where only a person can. */
  readonly onUnauthorized = async (
    { response }: { readonly response: Response },
  ): Promise<void> => {
    const refused = this.#refusals.get(response);
    const tokens = (await this.#credential())?.tokens;
    if (isFresh(tokens, { now: this.#deps.now(), refused })) return;
    if (tokens || this.#renewsItself) {
      if (await this.#renew(refused) === "renewed") return;
    }
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    await this.want({ scope, resourceMetadataUrl: resourceMetadataUrl?.href });
    throw new SignInNeeded("needs_auth");
  };

  /** Covers tokens in an answer: the one that its request had, and those of other requests to its host,
   * as far as the same authorization server issued them. */
  readonly conceal = (response: Response, init?: RequestInit, turn?: Turn): Response =>
    this.#given.conceal(response, { own: tokenIn(init), owner: () => this.#owner, turn });

  /** Wraps the `fetch` of a transport, and keeps for each refusal the token that was refused. */
  observe(fetch: Fetch): Fetch {
    return async (input, init) => {
      const token = tokenIn(init);
      const response = await fetch(input, init);
      if (token && response.status === 401) this.#refusals.set(response, token);
      return response;
    };
  }

  /** Notes what the server asked for, for the next sign-in. */
  async want(
    { scope, resourceMetadataUrl }: {
      readonly scope?: string;
      readonly resourceMetadataUrl?: string;
    },
  ): Promise<void> {
    const { store } = this.#deps;
    using _lock = await store.lock(this.target, "lock");
    const before = await store.read(this.target);
    const next: Credential = {
      ...before,
      ...idOf(this.target),
      ...(scope === undefined ? {} : { wanted: scope.slice(0, 1_000) }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    };
    if (JSON.stringify(next) !== JSON.stringify(before)) await store.write(next);
  }

  /** Asks a person to sign in, once for all calls that wait, and waits until it is done, here or by
   * the command line. Throws `AuthError`, and the signal's reason. */
  async signIn(context: AskContext): Promise<SignInOutcome> {
    const { asker } = this.#deps;
    if (!asker?.canAsk(context) || this.#renewsItself) return "unanswerable";
    const asking = this.#asking ??= this.#ask(asker, context);
    asking.users++;
    const leave = once(() => {
      if (--asking.users === 0) asking.leave();
    });
    context.signal.addEventListener("abort", leave, { once: true });
    try {
      const outcome = await asking.done;
      context.signal.throwIfAborted();
      return outcome;
    } finally {
      context.signal.removeEventListener("abort", leave);
      leave();
    }
  }

  /** Resolves when another token can be sent. If the server accepts the current one and asks for a
   * wider scope, only a sign-in brings that: it removes `wanted`, a renewal keeps it. */
  async signedIn(signal: AbortSignal): Promise<void> {
    const { store, now } = this.#deps;
    let version = store.version(this.target);
    const before = (await this.#credential())?.tokens;
    const isForMore = before !== undefined && before.isRefused !== true;
    for (;;) {
      await sleep(POLL_MS, signal);
      const next = store.version(this.target);
      if (next === version) continue;
      version = next;
      const credential = await this.#credential();
      if (isForMore && credential?.wanted !== undefined) continue;
      if (isFresh(credential?.tokens, { now: now(), refused: before?.access })) return;
    }
  }

  #ask(asker: SignInAsker, context: AskContext) {
    const end = new AbortController();
    const done = this.#signInNow(asker, context, end.signal).finally(() => {
      end.abort();
      this.#asking = undefined;
    });
    done.catch(() => {}); // those who wait get the error
    return { done, leave: () => end.abort(context.signal.reason), users: 0 };
  }

  async #signInNow(
    asker: SignInAsker,
    context: AskContext,
    end: AbortSignal,
  ): Promise<SignInOutcome> {
    const { askTimeoutMs = () => ASK_TIMEOUT_MS } = this.#deps;
    const late = AbortSignal.timeout(askTimeoutMs());
    const signal = AbortSignal.any([end, late]);
    const { server, account } = this.target;
    const refused = Promise.withResolvers<SignInRefusal>();
    const show = (prompt: Prompt) => {
      const question = { server, account, ...prompt };
      asker.ask(question, { ...context, signal }).then(refused.resolve, refused.reject);
    };
    const { signInAndStore } = await import("./sign_in.ts");
    const flow = signInAndStore(this.target, { show, signal }, this.#deps);
    const elsewhere = this.signedIn(signal);
    const ends = [flow, elsewhere].map((each) => each.then(() => "signed_in" as const));
    for (const each of [...ends, refused.promise]) each.catch(() => {});
    try {
      return await Promise.race([...ends, refused.promise]);
    } catch (error) {
      if (late.aborted) return "unanswerable";
      throw error;
    }
  }

  get #owner(): TokenOwner {
    const issuer = this.#known?.credential?.discovery?.authorizationServerUrl;
    return { account: this.#account, issuer };
  }

  get #renewsItself(): boolean {
    return this.target.settings.grant === "client_credentials";
  }

  /** Renews once for all requests that wait. */
  #renew(refused: string | undefined): Promise<Renewal> {
    return this.#renewing ??= this.#deps.renew(this.target, refused).finally(() => {
      this.#renewing = undefined;
    });
  }

  /** The stored credential, read again where it has changed. */
  async #credential(): Promise<Credential | undefined> {
    const { store } = this.#deps;
    const version = store.version(this.target);
    if (!this.#known || this.#known.version !== version) {
      const credential = version === undefined ? undefined : await store.read(this.target);
      this.#known = { version, ...(credential ? { credential } : {}) };
      // Before anything is sent with it.
      if (credential?.tokens) {
        this.#given.add(credential.tokens.access, this.#owner);
      }
    }
    return this.#known.credential;
  }
}

/** Token that a request is sent with. */
function tokenIn(init: RequestInit | undefined): string | undefined {
  return new Headers(init?.headers).get("authorization")?.split(" ")[1];
}
