import assert from "node:assert/strict";
import {
  createSuspendedWork,
  type WorkContext,
} from "../../../../gateway/mcp/client/suspended_work.ts";
import type { McpExchange } from "../../../../gateway/mcp/types.ts";

const MOST = 200;
const QUESTIONS = { q: { method: "roots/list", params: {} } };

function exchange(more: Partial<McpExchange> = {}): McpExchange {
  const { signal } = new AbortController();
  return { signal, subject: "s", capabilities: {}, meta: {}, onLog: () => {}, ...more };
}

Deno.test("createSuspendedWork() evicts the oldest work beyond the limit, unanswered", async () => {
  const holder = createSuspendedWork({
    newId: () => crypto.randomUUID(),
    timeoutMs: () => 60_000,
  });
  const unanswered: number[] = [];
  const work = (index: number) => async ({ askAll }: WorkContext) => {
    const answers = await askAll(QUESTIONS);
    if (!answers) unanswered.push(index);
    return { index };
  };
  const states: string[] = [];
  for (let index = 0; index <= MOST; index++) {
    const { requestState } = await holder.begin(work(index), exchange());
    states.push(String(requestState));
  }
  const resume = async (index: number) =>
    await holder.resume(exchange({ requestState: states[index] }));
  await assert.rejects(resume(0), /its state is unknown: send it again/);
  assert.deepEqual(unanswered, [0]);
  assert.deepEqual(await resume(1), { index: 1 });
  assert.deepEqual(await resume(MOST), { index: MOST });
  assert.deepEqual(unanswered, [0]);
});
