/** Lives of packs that come and go during calls: change notifications and disposal. */

import { within } from "#base";
import { PackError } from "../errors.ts";
import type { Pack } from "../types.ts";

export interface PackLives extends AsyncDisposable {
  /** Follows these packs and ends all others: at once without calls, else after the last call or
   * `graceMs`. Resolves when the packs without calls have ended. */
  follow(packs: readonly Pack[]): Promise<void>;
  /** Makes one call: of a pack that has left, of its heir. A call that the pack's end cuts short is
   * `unavailable`. */
  call<T>(called: Called, work: (pack: Pack) => Promise<T>): Promise<T>;
}

export interface Called {
  readonly pack: Pack;
  /** `github.create_issue`. */
  readonly tool: string;
  /** Finds the pack that the call may go to instead. */
  readonly heir: () => Promise<Pack | undefined>;
}

export interface PackLivesOptions {
  /** Called when a pack may answer differently. */
  readonly onChange: () => void;
  /** Time that calls may delay the end of a pack. */
  readonly graceMs: number;
}

interface Life {
  readonly pack: Pack;
  readonly unsubscribe: () => void;
  calls: number;
  /** Set when the pack is to end; resolved by its last call. */
  leaving?: PromiseWithResolvers<void>;
  ended: boolean;
}

/** Follows no pack at first. */
export function createPackLives({ onChange, graceMs }: PackLivesOptions): PackLives {
  const lives = new Map<Pack, Life>();
  const ending = new Set<Promise<void>>();

  function begin(pack: Pack): void {
    const unsubscribe = pack.onChange(onChange);
    lives.set(pack, { pack, unsubscribe, calls: 0, ended: false });
  }

  function hasLeft(pack: Pack): boolean {
    const life = lives.get(pack);
    return !life || life.leaving !== undefined;
  }

  /** Resolves at once for a pack with calls. */
  async function leave(life: Life): Promise<void> {
    life.unsubscribe();
    const idle = life.calls === 0;
    const ended = end(life).finally(() => ending.delete(ended));
    ending.add(ended);
    if (idle) await ended;
  }

  async function end(life: Life): Promise<void> {
    if (life.calls > 0) {
      life.leaving = Promise.withResolvers();
      await within(life.leaving.promise, graceMs);
    }
    life.ended = true;
    lives.delete(life.pack);
    // A failed disposal has no caller left to report to; the other packs go on.
    await Promise.allSettled([life.pack[Symbol.asyncDispose]()]);
  }

  return {
    async follow(packs) {
      const leaving = [...lives.values()].filter(({ pack, leaving }) => {
        return !leaving && !packs.includes(pack);
      });
      for (const pack of packs) if (!lives.has(pack)) begin(pack);
      await Promise.all(leaving.map(leave));
    },
    async call({ pack: first, tool, heir }, work) {
      let pack = first;
      // Further packs may have come when an heir is there.
      while (hasLeft(pack)) {
        const next = await heir();
        if (!next || next === pack) break;
        pack = next;
      }
      const life = lives.get(pack);
      if (!life) throw removedError(pack, tool);
      life.calls++;
      try {
        return await work(pack);
      } catch (error) {
        if (life.ended) throw removedError(pack, tool, error);
        throw error;
      } finally {
        if (--life.calls === 0) life.leaving?.resolve();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const life of lives.values()) {
        life.unsubscribe();
        life.leaving?.resolve();
      }
      const open = [...lives.values()].filter(({ leaving }) => !leaving);
      lives.clear();
      await Promise.allSettled([
        ...ending,
        ...open.map(({ pack }) => pack[Symbol.asyncDispose]()),
      ]);
    },
  };
}

function removedError({ name }: Pack, tool: string, cause?: unknown): PackError {
  const reason = "the configuration was loaded again";
  return new PackError(
    "unavailable",
    `Cannot call "${tool}": "${name}" was ended, because ${reason}: call it again, or see ot.packs()`,
    { tool, cause, retryable: true, details: { reason } },
  );
}
