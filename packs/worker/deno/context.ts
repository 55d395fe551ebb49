/** Context of one pack and one call, across asynchronous code (WRK protocol). */

import { AsyncLocalStorage } from "node:async_hooks";

/** One call under way. */
export interface CallContext {
  readonly id: string;
  readonly signal: AbortSignal;
}

export interface PackContext {
  readonly pack: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Missing while the module is loaded. */
  readonly call?: CallContext;
  /** Sends a notification to the gateway. */
  notify(method: string, params: Record<string, unknown>): void;
  /** Sends a request to the gateway. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
}

const contexts = new AsyncLocalStorage<PackContext>();

export function within<T>(context: PackContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Context of the running code. Throws outside of a pack. */
export function current(): PackContext {
  const context = contexts.getStore();
  if (context) return context;
  throw new Error('"toolscript" answers only inside a pack that Toolscript runs');
}
