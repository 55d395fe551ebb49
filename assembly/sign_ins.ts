/** Sign-ins at servers, begun and ended on the page. */

import { http1Fetch } from "#base";
import type { SignInKeeper } from "#gateway";
import {
  type AuthTarget,
  authTarget,
  createCredentialStore,
  expiresAt,
  signInAndStore,
  signOut,
  stateOf,
} from "#packs/auth";
import type { Base } from "./base.ts";
import type { Engine } from "./engine.ts";

/** Time that a person has for a sign-in. */
const TIMEOUT_MS = 120_000;

/** Builds the sign-ins of the servers that are configured at the moment. */
export function createSignIns({ options, live, registry, log }: Base & Engine): SignInKeeper {
  const store = createCredentialStore({ home: options.home, log });
  const deps = { store, fetch: http1Fetch, now: Date.now };

  function targetOf(name: string): AuthTarget | undefined {
    const server = live.current.servers.find((server) => server.name === name);
    return server && authTarget(server);
  }

  function restart(name: string): void {
    registry.packs().find((pack) => pack.name === name)?.restart?.();
  }

  return {
    async read(name) {
      const target = targetOf(name);
      if (!target) return undefined;
      const credential = await store.read(target);
      const renewsItself = target.settings.grant === "client_credentials";
      const { isConfigured } = target;
      return {
        state: stateOf(credential, { now: Date.now(), isConfigured, renewsItself }),
        expiresAt: credential ? expiresAt(credential)?.getTime() ?? null : null,
        scope: credential?.tokens?.scope ?? null,
      };
    },
    async begin(name) {
      const target = targetOf(name);
      if (!target) throw new Error("it has no sign-in");
      const prompt = Promise.withResolvers<Awaited<ReturnType<SignInKeeper["begin"]>>>();
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      signInAndStore(target, { show: prompt.resolve, signal }, deps)
        .then(() => {
          prompt.resolve(undefined);
          restart(name);
        })
        .catch((error) => {
          prompt.reject(error);
          log("warning", "A sign-in was not finished", { server: name, reason: String(error) });
        });
      return await prompt.promise;
    },
    async end(name) {
      const target = targetOf(name);
      if (!target) throw new Error(`The server "${name}" has no sign-in`);
      const { failure } = await signOut(target, deps);
      restart(name);
      return failure === undefined;
    },
  };
}
