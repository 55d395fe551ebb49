/** Rows of a run or a call that has ended. */

import { type CallEnd, PackError, type StartedCall } from "#packs";
import { byteLength } from "../../reply/lines.ts";
import type { EndedRun } from "../../run/run.ts";
import type { CallRow, RunRow } from "../types.ts";

/** A call that has ended, and when. */
export interface Ending {
  readonly call: StartedCall;
  readonly end: CallEnd;
  readonly at: number;
  readonly ms: number;
}

const MAX_NAME = 200;
const UNKNOWN = "unknown";

/** The row of a call. */
export function toCall(
  { call, end, at, ms }: Ending,
  sizes: Pick<CallRow, "bytesIn" | "bytesOut">,
): CallRow {
  const { pack, tool } = end.entry ?? namesIn(call.wire);
  return {
    at,
    ms,
    run: call.origin?.run ?? null,
    client: nameOf(call.origin?.client),
    pack: clean(pack),
    tool: clean(tool),
    code: "error" in end ? codeOf(end.error) : null,
    ...sizes,
  };
}

/** The row of a run, and what was sent and answered. */
export function toRun(
  { request, reply, client, within }: EndedRun,
  { at, toolset }: { readonly at: number; readonly toolset: string },
): { readonly row: RunRow; readonly program: string; readonly reply: string } {
  const program = request.kind === "command" ? request.command : request.script;
  // The client reads the output of a script; of a command only the reply is sent back.
  const printed = request.kind === "script" ? [reply.stdout, reply.stderr] : [];
  const answer = [reply.text, ...printed];
  const row: RunRow = {
    run: reply.run,
    at: Math.round(at),
    ms: reply.ms,
    kind: request.kind,
    client: nameOf(client),
    within: within ?? null,
    code: reply.ok ? null : reply.error?.code ?? "internal",
    calls: reply.calls,
    bytesIn: byteLength(program),
    bytesOut: answer.reduce((sum, text) => sum + byteLength(text), 0),
    toolset,
    look: request.look === true,
  };
  return { row, program, reply: answer.join("") };
}

function codeOf(error: unknown): string {
  return error instanceof PackError ? error.code : "internal";
}

/** The names in `github__nothing`, which is no tool. */
function namesIn(wire: string): { readonly pack: string; readonly tool: string } {
  const split = wire.indexOf("__");
  if (split < 0) return { pack: wire, tool: "" };
  return { pack: wire.slice(0, split), tool: wire.slice(split + 2) };
}

function nameOf(client: string | undefined): string {
  return clean(client ?? "") || UNKNOWN;
}

/** A foreign name without control characters. */
function clean(name: string): string {
  const text = name.slice(0, MAX_NAME).toWellFormed();
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim();
}
