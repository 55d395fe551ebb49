/** Trust in the project of a gateway that runs, given by whoever its client can ask. */

import type { LiveConfig } from "./live.ts";
import type { Trust } from "./trust.ts";
import { writeTrust } from "./trust_store.ts";
import type { Config } from "./types.ts";

export interface TrustAskerDeps {
  readonly home: string;
  readonly load: () => Promise<Config>;
  readonly live: LiveConfig;
  /** The list that a person is shown. */
  readonly show: (trust: Trust) => string;
}

export interface TrustAsker {
  /** Puts the list to `question`, once for what was declined; after a yes the configuration is in
   * use when this resolves. Answers whether the project is trusted now. */
  ask(question: (list: string) => Promise<boolean>): Promise<boolean>;
}

/** Builds the asker; those who ask at once are served in turn. */
export function createTrustAsker({ home, load, live, show }: TrustAskerDeps): TrustAsker {
  const declined = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function ask(question: (list: string) => Promise<boolean>): Promise<boolean> {
    // What is on disk now is what is shown, and what the yes is stored for.
    const { trust } = await load();
    const { kind, project, hash, items } = trust;
    if (kind !== "untrusted") return await reloaded();
    if (hash === undefined || declined.has(hash)) return false;
    if (!await question(`The project ${JSON.stringify(project)} is not trusted.\n${show(trust)}`)) {
      declined.add(hash);
      return false;
    }
    await writeTrust(home, project, { hash, ...items });
    return await reloaded();
  }

  async function reloaded(): Promise<boolean> {
    await live.reload();
    return live.current.trust.kind !== "untrusted";
  }

  return {
    ask(question) {
      const answer = turn.then(() => ask(question));
      turn = answer.catch(() => {}); // whoever asked is told
      return answer;
    },
  };
}
