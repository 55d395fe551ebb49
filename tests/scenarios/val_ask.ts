/** A gateway with a tool that must be confirmed, and requests to it. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import { events, openGateway, type StreamEvent, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

/** A gateway whose `git.echo` must be confirmed; `git.pid` needs none. */
export async function open(security: Record<string, unknown> = {}): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    snippets: { copy: { params: { n: {} }, body: "git.echo(name={{ n }})" } },
    security: { ask: ["git.echo"], ...security },
  });
  await gateway.ready();
  return gateway;
}

export async function takenRun(
  gateway: TestGateway,
  body: Record<string, unknown>,
): Promise<RunReply> {
  const response = await gateway.post("/run", body);
  const reply = await response.json();
  assert.equal(response.status, 200, JSON.stringify(reply));
  return reply;
}

export async function* stream(gateway: TestGateway, body: unknown): AsyncGenerator<StreamEvent> {
  yield* events(await gateway.post("/run", body, { accept: "application/x-ndjson" }));
}
