/** Commands as an agent sends them, and what their replies must be: one row each. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import type { TestGateway } from "./gateway.ts";

export interface CommandRow {
  /** Begins with the id of its scenario. */
  readonly name: string;
  readonly command: string;
  readonly text?: string | RegExp;
  readonly value?: unknown;
  /** A part of the reply's value. */
  readonly holds?: (value: never) => void;
  /** Of the error; without one the command must succeed. */
  readonly code?: string;
  readonly line?: number;
}

/** `POST /run` with one command. */
export async function send(
  gateway: TestGateway,
  command: string,
  options: Record<string, unknown> = {},
): Promise<RunReply> {
  return await (await gateway.post("/run", { command, ...options })).json();
}

/** Holds a reply to its row. */
export function assertReply(reply: RunReply, row: CommandRow): void {
  if (row.code === undefined) assert.ok(reply.ok, reply.text);
  assert.equal(reply.error?.code, row.code, reply.text);
  if (typeof row.text === "string") assert.equal(reply.text, row.text);
  if (row.text instanceof RegExp) assert.match(reply.text, row.text);
  if ("value" in row) assert.deepEqual(reply.value, row.value);
  if (row.line !== undefined) assert.equal(reply.error?.line, row.line, reply.text);
  row.holds?.(reply.value as never);
}

/** One step for each row. */
export async function stepThrough(
  t: Deno.TestContext,
  gateway: TestGateway,
  rows: readonly CommandRow[],
): Promise<void> {
  for (const row of rows) {
    await t.step(row.name, async () => assertReply(await send(gateway, row.command), row));
  }
}
