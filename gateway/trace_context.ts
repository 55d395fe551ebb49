/** Trace context of a request (W3C Trace Context; in MCP the same keys in `_meta`). */

import type { TraceContext } from "#base";
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Reads `traceparent` and `tracestate`; malformed values are ignored. */
export function readTraceContext(
  source: Readonly<Record<string, unknown>>,
): TraceContext | undefined {
  const { traceparent, tracestate } = source;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  const isState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return { traceparent, ...(isState ? { tracestate } : {}) };
}

/** Reads the trace context of the headers of a request. */
export function traceOf({ headers }: Pick<Request, "headers">): TraceContext | undefined {
  const traceparent = headers.get("traceparent");
  return traceparent === null
    ? undefined
    : readTraceContext({ traceparent, tracestate: headers.get("tracestate") });
}
