/** Requests that are passed on to a server. */

import assert from "node:assert/strict";
import { sendAnswered } from "../../../../gateway/mcp/client/forward.ts";

Deno.test("a server that goes on without a question is asked a hundred times", async () => {
  let sent = 0;
  const send = () => {
    sent++;
    return Promise.resolve({ resultType: "input_required", inputRequests: {} });
  };
  const askAll = () => Promise.resolve({});
  await assert.rejects(sendAnswered(send, { askAll }), /the server asked 100 times/);
  assert.ok(sent < 110, `${sent} requests`);
});
