/** Trust in the project of a running gateway, asked for through its client or on its page. */

import type { LiveConfig } from "../live.ts";
import type { Trust } from "./trust.ts";
import { writeTrust } from "./store.ts";
import type { Config } from "../types.ts";

export interface TrustAskerDeps {
  readonly home: string;
  readonly load: () => Promise<Config>;
  readonly live: LiveConfig;
  /** The list that a person is shown, in rows of so many columns, or of those of a form. */
  readonly show: (trust: Trust, columns?: number) => string;
  /** The question below it. */
  readonly prompt: (trust: Trust) => string;
  /** Receives every answer. */
  readonly onAnswer: (isTrusted: boolean, from: "client" | "page") => void;
}

/** An untrusted project, as its files are now. */
export interface TrustOffer {
  /** The list that a person is shown, each item in one row. */
  readonly text: string;
  /** Hash of the files that it was made from. */
  readonly hash: string;
}

export interface TrustAsker {
  /** Passes the list with the question below it to `question`, a declined one only once; after a yes
   * the configuration is in use when this resolves. True where the project is trusted now. */
  ask(question: (text: string) => Promise<boolean>): Promise<boolean>;
  /** The list, for a person who may say yes later; undefined where nothing has to be trusted. */
  offer(): Promise<TrustOffer | undefined>;
  /** Trusts the project if its files still have the hash of the offer. True where it is trusted now. */
  grant(hash: string): Promise<boolean>;
}

/** Builds the asker; questions are put one after another. */
export function createTrustAsker(
  { home, load, live, show, prompt, onAnswer }: TrustAskerDeps,
): TrustAsker {
  const declined = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function ask(question: (text: string) => Promise<boolean>): Promise<boolean> {
    // The files as they are now are shown, and the answer is stored for them.
    const { trust } = await load();
    if (trust.kind !== "untrusted") return await reloaded();
    const { hash } = trust;
    if (hash === undefined || declined.has(hash)) return false;
    if (await question(`${show(trust)}\n${prompt(trust)}`)) {
      return await write(trust, hash, "client");
    }
    declined.add(hash);
    onAnswer(false, "client");
    return false;
  }

  async function write(
    { project, tools, secrets, items }: Trust,
    hash: string,
    from: "client" | "page",
  ): Promise<boolean> {
    await writeTrust(home, project, { hash, tools, secrets, ...items });
    onAnswer(true, from);
    return await reloaded();
  }

  async function reloaded(): Promise<boolean> {
    await live.reload();
    return live.current.trust.kind !== "untrusted";
  }

  function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const answer = turn.then(work);
    turn = answer.catch(() => {}); // the caller gets the error
    return answer;
  }

  return {
    ask: (question) => inTurn(() => ask(question)),
    async offer() {
      const { trust } = await load();
      const { kind, hash } = trust;
      if (kind !== "untrusted" || hash === undefined) return undefined;
      return { text: show(trust, Infinity), hash };
    },
    grant: (hash) =>
      inTurn(async () => {
        const { trust } = await load();
        if (trust.kind !== "untrusted") return await reloaded();
        return trust.hash === hash && await write(trust, hash, "page");
      }),
  };
}
