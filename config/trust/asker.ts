/** Trust in the project of a running gateway, asked for through its client. */

import { escapeUnseen } from "#base";
import type { LiveConfig } from "../live.ts";
import type { Trust } from "./trust.ts";
import { writeTrust } from "./store.ts";
import type { Config } from "../types.ts";

export interface TrustAskerDeps {
  readonly home: string;
  readonly load: () => Promise<Config>;
  readonly live: LiveConfig;
  /** The list that a person is shown. */
  readonly show: (trust: Trust) => string;
}

export interface TrustAsker {
  /** Passes the list to `question`, a declined one only once; after a yes the configuration is in
   * use when this resolves. True where the project is trusted now. */
  ask(question: (list: string) => Promise<boolean>): Promise<boolean>;
}

/** Builds the asker; questions are put one after another. */
export function createTrustAsker({ home, load, live, show }: TrustAskerDeps): TrustAsker {
  const declined = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function ask(question: (list: string) => Promise<boolean>): Promise<boolean> {
    // The files as they are now are shown, and the answer is stored for them.
    const { trust } = await load();
    const { kind, project, hash, tools, items } = trust;
    if (kind !== "untrusted") return await reloaded();
    if (hash === undefined || declined.has(hash)) return false;
    const head = `The project ${escapeUnseen(JSON.stringify(project))} is not trusted.`;
    if (!await question(`${head}\n${show(trust)}`)) {
      declined.add(hash);
      return false;
    }
    await writeTrust(home, project, { hash, tools, ...items });
    return await reloaded();
  }

  async function reloaded(): Promise<boolean> {
    await live.reload();
    return live.current.trust.kind !== "untrusted";
  }

  return {
    ask(question) {
      const answer = turn.then(() => ask(question));
      turn = answer.catch(() => {}); // the caller gets the error
      return answer;
    },
  };
}
