/** Packs come and go while calls are under way: whom a change is told to, and when one may end. */

import { within } from "#sandbox";
import { PackError } from "../errors.ts";
import type { Pack } from "../types.ts";

export interface PackLives extends AsyncDisposable {
  /** Follows these packs from now on. Those before them that are not among them are ended: at once
   * where nobody calls them, else after their last call, or when their time is up. Resolves when
   * those that nobody calls have ended. */
  follow(packs: readonly Pack[]): Promise<void>;
  /** Makes one call. One that the pack's end cuts short is `unavailable`. */
  call<T>(pack: Pack, tool: string, work: () => Promise<T>): Promise<T>;
}

export interface PackLivesOptions {
  /** Called when a pack may answer differently. */
  readonly onChange: () => void;
  /** How long calls may hold up the end of a pack. */
  readonly graceMs: number;
}

interface Life {
  readonly pack: Pack;
  readonly unsubscribe: () => void;
  calls: number;
  /** Set once it is to end; resolved by its last call. */
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

  /** Resolves at once for one that is still called. */
  async function leave(life: Life): Promise<void> {
    life.unsubscribe();
    const idle = life.calls === 0;
    const gone = end(life).finally(() => ending.delete(gone));
    ending.add(gone);
    if (idle) await gone;
  }

  async function end(life: Life): Promise<void> {
    if (life.calls > 0) {
      life.leaving = Promise.withResolvers();
      await within(life.leaving.promise, graceMs);
    }
    life.ended = true;
    lives.delete(life.pack);
    // One that does not end in order has nobody left to tell; the others go on.
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
    async call(pack, tool, work) {
      const life = lives.get(pack);
      if (!life) throw gone(pack, tool);
      life.calls++;
      try {
        return await work();
      } catch (error) {
        if (life.ended) throw gone(pack, tool, error);
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

function gone({ name }: Pack, tool: string, cause?: unknown): PackError {
  const reason = "the configuration was loaded again";
  return new PackError(
    "unavailable",
    `Cannot call "${tool}": "${name}" was ended, because ${reason}: call it again, or see ot.packs()`,
    { tool, cause, retryable: true, details: { reason } },
  );
}
