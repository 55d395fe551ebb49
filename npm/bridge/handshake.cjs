// What every gateway must hear of a client first: its handshake, its level of logs, its subscriptions.
"use strict";

const TOOLS_CHANGED = "notifications/tools/list_changed";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** Builds the memory of one client. */
function createHandshake() {
  const subscribed = new Map();
  const listening = new Map();
  const acknowledged = new Set();
  let first;
  let initialized;
  let level;
  let count = 0;

  /** The message under a name whose answer nobody waits for. */
  function copyOf(message) {
    return { ...message, id: `toolscript:again:${++count}` };
  }

  return {
    copyOf,
    initialize(message) {
      first = message;
    },
    notified(message) {
      if (message.method === "notifications/initialized") initialized = message;
    },
    /** Remembers what a client has set; the gateway answers it as any other. */
    sets(message) {
      const { method, params } = message;
      const { uri } = Object(params);
      if (method === "logging/setLevel") level = message;
      if (method === "resources/subscribe") subscribed.set(uri, message);
      if (method === "resources/unsubscribe") subscribed.delete(uri);
    },
    listens(message) {
      listening.set(message.id, message);
    },
    ended(id) {
      listening.delete(id);
      acknowledged.delete(id);
    },
    /** Messages for a new gateway. */
    *messages() {
      if (first) yield copyOf(first);
      if (initialized) yield initialized;
      if (level) yield copyOf(level);
      for (const message of subscribed.values()) yield copyOf(message);
      for (const message of listening.values()) yield message;
    },
    /** True for the second acknowledgement of a subscription. */
    isRepeated({ method, params }) {
      if (method !== "notifications/subscriptions/acknowledged") return false;
      const id = Object(Object(params)._meta)[SUBSCRIPTION];
      const isKnown = acknowledged.has(id);
      acknowledged.add(id);
      return isKnown;
    },
    /** Tells the client that the tools have changed, as its protocol has it. */
    tellOfTools(write) {
      if (initialized) write({ jsonrpc: "2.0", method: TOOLS_CHANGED });
      for (const [id, { params }] of listening) {
        if (Object(Object(params).notifications).toolsListChanged !== true) continue;
        const _meta = { [SUBSCRIPTION]: id };
        write({ jsonrpc: "2.0", method: TOOLS_CHANGED, params: { _meta } });
      }
    },
  };
}

module.exports = { createHandshake };
