// Questions of gateways to the client, under names that no two of them share: the answer to a question
// of a gateway that ended must not pass for one to its successor.
"use strict";

const CANCELLED = "notifications/cancelled";

/** Builds the names; `write` sends a message to the client. */
function createQuestions({ write }) {
  const asked = new Map();
  let count = 0;

  function cancel(id, reason) {
    asked.delete(id);
    write({ jsonrpc: "2.0", method: CANCELLED, params: { requestId: id, reason } });
  }

  return {
    ask(message) {
      const id = ++count;
      asked.set(id, message.id);
      write({ ...message, id });
    },
    /** The answer as the gateway knows it; undefined where it is not waited for. */
    answer(message) {
      if (!asked.has(message.id)) return undefined;
      const id = asked.get(message.id);
      asked.delete(message.id);
      return { ...message, id };
    },
    /** Passes on that the gateway needs no answer. */
    takeBack({ params }) {
      const { requestId, reason } = Object(params);
      for (const [id, theirs] of asked) if (theirs === requestId) return cancel(id, reason);
    },
    /** Cancels all: the gateway has ended. */
    cancel() {
      for (const id of [...asked.keys()]) cancel(id, "The gateway ended");
    },
  };
}

module.exports = { createQuestions };
