/** A pack whose server wants a sign-in, with the keeper that the pack gets its tokens from. */

import {
  authTarget,
  createCredentialStore,
  createTokenKeeper,
  type Credential,
  type CredentialStore,
  idOf,
  renew,
  type SignInAsker,
  type SignInQuestion,
} from "#packs/auth";
import type { HttpServer } from "#packs";
import { type Issuer, type Quirks, startIssuer } from "../../../support/auth/issuer.ts";
import { type Resource, startResource } from "../../../support/auth/resource.ts";
import { httpServer } from "../../../support/servers.ts";
import { type Harness, openPack } from "../harness.ts";

export interface Guarded extends AsyncDisposable, Pick<Harness, "pack" | "logged"> {
  readonly issuer: Issuer;
  readonly resource: Resource;
  readonly store: CredentialStore;
  readonly home: string;
  readonly config: HttpServer;
  readonly target: NonNullable<ReturnType<typeof authTarget>>;
  /** Questions that were asked. */
  readonly questions: SignInQuestion[];
  /** Stores a sign-in, as it was some time ago. */
  signedIn(tokens?: Partial<Credential["tokens"]>): Promise<{ access: string; refresh: string }>;
  credential(): Promise<Credential | undefined>;
}

export interface GuardedOptions {
  readonly quirks?: Partial<Quirks>;
  readonly config?: Partial<HttpServer>;
  /** Answers a question; without it no person can be asked. */
  readonly answer?: (question: SignInQuestion, issuer: Issuer) => Promise<"accepted" | "declined">;
  readonly home?: string;
}

/** Starts an authorization server, an MCP server behind it, and a pack. */
export async function openGuarded(options: GuardedOptions = {}): Promise<Guarded> {
  const issuer = startIssuer(options.quirks);
  const resource = startResource(issuer);
  const home = options.home ?? await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const config = httpServer({ name: "crm", url: resource.url, ...options.config });
  const target = authTarget(config);
  if (!target) throw new Error("The server wants no sign-in");
  const logged: string[] = [];
  const log = (level: string, message: string, facts?: object) =>
    void logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
  const store = createCredentialStore({ home, log });
  const questions: SignInQuestion[] = [];
  const { answer } = options;
  const asker: SignInAsker = {
    canAsk: () => answer !== undefined,
    async ask(question, { signal }) {
      questions.push(question);
      if (await answer?.(question, issuer) === "declined") return "declined";
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return "unanswerable";
    },
  };
  const deps = { store, fetch, now: Date.now };
  const keeper = createTokenKeeper({
    ...deps,
    log,
    asker,
    renew: (target, refused) => renew(target, refused, deps),
  });
  const harness = await openPack(config, { keeper });
  return {
    issuer,
    resource,
    store,
    home,
    config,
    target,
    questions,
    pack: harness.pack,
    get logged() {
      return [...logged, ...harness.logged];
    },
    async signedIn(changes = {}) {
      const scope = changes?.scope ?? "";
      const { access, refresh } = issuer.grant({ scope });
      await store.write({
        ...idOf(target),
        registration: { information: { client_id: "client-1", issuer: issuer.url } },
        tokens: { access, refresh, at: Date.now(), lifeMs: 3_600_000, ...changes },
      });
      return { access, refresh };
    },
    credential: () => store.read(target),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await resource[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
      if (options.home === undefined) await Deno.remove(home, { recursive: true });
    },
  };
}

/** Time at which an access token of an hour is long over. */
export const LONG_AGO = Date.now() - 7_200_000;
