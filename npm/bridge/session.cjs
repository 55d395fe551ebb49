// One client of MCP in front of gateways that may end: what is answered here, what goes on to the
// gateway, and what becomes of it where the gateway is gone.
"use strict";
const { createHandshake } = require("./handshake.cjs");
const { createQuestions } = require("./questions.cjs");

const CANCELLED = "notifications/cancelled";
const LISTEN = "subscriptions/listen";
const INTERNAL = -32603;
/** Gateways that a request may lose, or that do not start, before it fails. */
const MOST_TRIES = 3;
const WAIT_MS = 2_000;

/** Builds the session. `write` sends a message to the client; `answers` are those of `answers.cjs`;
 * `open` opens an upstream with listeners; `onIdle` is called when no request is open. */
function createSession({ write, warn, answers, open, onIdle, onReady, onDrain, onFailed }) {
  const pending = new Map();
  const tokens = new Map();
  const handshake = createHandshake();
  const questions = createQuestions({ write });
  let queue = [];
  let queuedSize = 0;
  let unanswered = 0;
  let isClosed = false;
  let upstream;
  let isReady = false;
  let wasReady = false;
  let failures = 0;
  let count = 0;
  let waiting;

  function send(message) {
    return upstream.send(JSON.stringify(message));
  }

  /** Sends a message now, or once there is a gateway. */
  function pass(entry) {
    if (isReady) return deliver(entry);
    queue.push(entry);
    queuedSize += entry.text.length;
    connect();
    return true;
  }

  function deliver(entry) {
    entry.isSent = true;
    return upstream.send(entry.text);
  }

  function connect() {
    waiting = waiting || setInterval(tellWaiting, WAIT_MS);
    upstream = upstream || open({ about, ready, line: fromGateway, drain: onDrain, end });
  }

  function about(next) {
    if (answers.set(next)) handshake.tellOfTools(write);
  }

  function ready() {
    isReady = true;
    failures = 0;
    clearInterval(waiting);
    waiting = undefined;
    for (const message of handshake.messages()) send(message);
    if (wasReady) handshake.tellOfTools(write); // the new gateway may offer other tools
    wasReady = true;
    const ready = queue;
    queue = [];
    queuedSize = 0;
    for (const entry of ready) deliver(entry);
    onDrain();
    onReady();
  }

  function end({ code, wasReady: had }) {
    upstream = undefined;
    isReady = false;
    if (isClosed) return;
    questions.cancel();
    onDrain();
    if (had) return lose();
    if (code === 0 && ++failures < MOST_TRIES) return connect(); // it ended just now
    clearInterval(waiting);
    waiting = undefined;
    failures = 0;
    const reason = code === 0 ? "it ends at once" : `code ${code}: stderr says why`;
    fail(`Cannot start the gateway: ${reason}: check it with "toolscript doctor"`);
    onFailed(code, wasReady);
  }

  function fail(text) {
    queue = [];
    queuedSize = 0;
    for (const entry of [...pending.values()]) {
      if (entry.method !== LISTEN) answer(entry, { error: { code: INTERNAL, message: text } });
    }
  }

  /** What was sent to a gateway that ended: a call may have had effects already, so only the client
   * can decide to repeat it; the rest is sent to the next gateway. */
  function lose() {
    for (const entry of [...pending.values()].filter(({ isSent }) => isSent)) {
      if (entry.method === LISTEN) continue; // the handshake repeats it
      entry.isSent = false;
      if (entry.method === "tools/call") answer(entry, { result: answers.lost(entry) });
      else if (++entry.tries < MOST_TRIES) pass(entry);
      else answer(entry, { error: { code: INTERNAL, message: "The gateway ended" } });
    }
  }

  function answer(entry, outcome) {
    settle(entry);
    write({ jsonrpc: "2.0", id: entry.id, ...outcome });
    rest();
  }

  function settle({ id, token }) {
    pending.delete(id);
    tokens.delete(token);
  }

  function isIdle() {
    return unanswered === 0 && [...pending.values()].every(({ method }) => method === LISTEN);
  }

  function rest() {
    if (isIdle()) onIdle();
  }

  /** Tells those that wait for a gateway, and asked for it, that they do. */
  function tellWaiting() {
    for (const entry of queue) tellOfWait(entry);
  }

  function tellOfWait(entry) {
    if (entry.token === undefined || entry.isOwnToken) return;
    const progress = 1 - 1 / ++entry.told; // the gateway begins at 1
    const params = { progressToken: entry.token, progress, message: answers.waiting() };
    write({ jsonrpc: "2.0", method: "notifications/progress", params });
  }

  function request(message) {
    const { id, method } = message;
    handshake.sets(message);
    const entry = {
      id,
      method,
      tries: 0,
      told: 0,
      isSent: false,
      isModern: answers.isModern(message),
    };
    if (method === "tools/call") watchProgress(entry, message);
    entry.text = JSON.stringify(message);
    if (method === LISTEN) handshake.listens(message);
    pending.set(id, entry);
    if (method === LISTEN && !isReady) {
      connect(); // the handshake has it
      return true;
    }
    const isPassed = pass(entry);
    if (!isReady) tellOfWait(entry);
    return isPassed;
  }

  /** A program has called a tool where its progress passes 1: its start is reported first. */
  function watchProgress(entry, message) {
    const params = message.params = Object(message.params);
    const meta = params._meta = Object(params._meta);
    entry.isOwnToken = meta.progressToken === undefined;
    if (entry.isOwnToken) meta.progressToken = `toolscript:${++count}`;
    entry.token = meta.progressToken;
    entry.name = params.name;
    entry.hasCalled = false;
    tokens.set(entry.token, entry);
  }

  function notification(message) {
    const { method, params } = message;
    if (method === CANCELLED) {
      const entry = pending.get(Object(params).requestId);
      if (entry) settle(entry);
      if (entry && entry.method === LISTEN) handshake.ended(entry.id);
      if (queue.includes(entry)) queuedSize -= entry.text.length;
      queue = queue.filter((waits) => waits !== entry);
      rest();
    } else handshake.notified(message);
    return isReady ? send(message) : true;
  }

  function local(message) {
    const result = answers.resultOf(message);
    if (result === undefined) return request(message);
    if (message.method === "initialize") {
      handshake.initialize(message);
      if (isReady) send(handshake.copyOf(message));
    }
    write({ result, jsonrpc: "2.0", id: message.id });
    return true;
  }

  function fromGateway(text) {
    const message = parse(text);
    if (!message) return;
    if (message.method === undefined) return answered(message, text);
    if (message.id !== undefined) return questions.ask(message);
    const { method, params } = message;
    if (method === "notifications/progress") {
      const entry = tokens.get(Object(params).progressToken);
      if (entry) entry.hasCalled = entry.hasCalled || params.progress > 1;
      if (!entry || entry.isOwnToken) return;
    }
    if (method === "notifications/tools/list_changed") answers.forgetTools();
    if (method === CANCELLED) return questions.takeBack(message);
    if (!handshake.isRepeated(message)) write(text);
  }

  function answered({ id }, text) {
    const entry = pending.get(id);
    if (!entry) return; // it was asked here, or cancelled
    settle(entry);
    if (entry.method === LISTEN) handshake.ended(id);
    write(text);
    rest();
  }

  return {
    /** Handles a line of the client; false where the gateway takes no more for now. */
    fromClient(text) {
      const message = parse(text);
      if (!message) {
        warn(
          `Cannot read a message: ${JSON.stringify(text.slice(0, 80))}: ` +
            "send one JSON-RPC 2.0 message a line",
        );
        return true;
      }
      if (message.method === undefined) {
        const answer = questions.answer(message);
        return answer === undefined || !isReady || send(answer);
      }
      if (message.id === undefined) return notification(message);
      if (!answers.mayKnow(message)) return request(message);
      if (message.method === "initialize") handshake.initialize(message);
      unanswered++;
      const answerNow = () => {
        unanswered--;
        local(message);
        rest();
      };
      if (message.method === "ping") answerNow();
      else answers.whenKnown(answerNow);
      return true;
    },
    connect,
    isIdle,
    isBusy: () => isReady && pending.size > 0,
    /** Length of what waits for a gateway. */
    queued: () => queuedSize,
    pause: () => upstream && upstream.pause(),
    resume: () => upstream && upstream.resume(),
    close(onClosed) {
      isClosed = true;
      clearInterval(waiting);
      if (upstream) upstream.close(onClosed);
      else onClosed();
    },
  };
}

function parse(text) {
  try {
    const message = JSON.parse(text);
    return message && message.jsonrpc === "2.0" ? message : undefined;
  } catch (_) {
    return undefined;
  }
}

module.exports = { createSession };
