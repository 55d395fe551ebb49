// Answers to the first requests of a client: those of its project as soon as they are known, those of
// its last start or of the package where that takes longer than a client should wait.
"use strict";

const META = "io.modelcontextprotocol/";
const NO_RESULTS = { versions: [], results: {} };
const NO_FACTS = {
  answers: { legacy: NO_RESULTS, modern: NO_RESULTS },
  programs: [],
  maxBytes: 16 * 1024 * 1024,
  graceMs: 10_000,
};

/** Builds the answers. `constants` has those of the package, as `toolscript mcp open` prints them in
 * its first line, or is missing; `waitMs` is the time for those of the project, which `memory` keeps. */
function createAnswers({ constants, memory, waitMs }) {
  let known;
  let guess;
  let hasTools = true;
  let isLegacy = false;
  let waiting = [];
  const timer = setTimeout(() => {
    guess = memory.read() || constants;
    if (guess) know(guess);
  }, waitMs);

  function know(next) {
    known = next;
    hasTools = true;
    const ready = waiting;
    waiting = [];
    for (const action of ready) action();
  }

  function facts() {
    return known || constants || NO_FACTS;
  }

  function isModern({ params }) {
    const meta = Object(Object(params)._meta);
    const { versions } = facts().answers.modern;
    return !isLegacy && versions.includes(meta[`${META}protocolVersion`]) &&
      isObject(meta[`${META}clientInfo`]) && isObject(meta[`${META}clientCapabilities`]);
  }

  function toolsOf({ answers }) {
    return JSON.stringify([answers.legacy.results["tools/list"]]);
  }

  return {
    /** Takes the answers of the project; true where the client may have heard of other tools. */
    set(next) {
      clearTimeout(timer);
      const isOther = guess !== undefined && toolsOf(next) !== toolsOf(guess);
      guess = undefined;
      know(next);
      memory.write(next);
      return isOther;
    },
    /** The gateway has told of other tools: from now on it is asked. */
    forgetTools() {
      hasTools = false;
    },
    /** True for a request that may have its answer here. */
    mayKnow(message) {
      const { method, params } = message;
      if (method === "initialize") return isHandshake(Object(params));
      if (method === "tools/list") return hasTools;
      return (method === "ping" && !isModern(message)) ||
        (method === "server/discover" && (isModern(message) || facts() === NO_FACTS));
    },
    whenKnown(action) {
      if (known) action();
      else waiting.push(action);
    },
    /** The result of a request; undefined where only a gateway has it. */
    resultOf(message) {
      const { method, params } = message;
      if (method === "initialize") isLegacy = true;
      const { legacy, modern } = facts().answers;
      const { results } = isModern(message) ? modern : legacy;
      if (method === "tools/list" && !hasTools) return undefined;
      if (!Object.hasOwn(results, method)) return undefined;
      if (method !== "initialize") return results[method];
      const { protocolVersion } = params;
      return legacy.versions.includes(protocolVersion)
        ? { ...results.initialize, protocolVersion }
        : results.initialize;
    },
    isModern,
    /** The result of a call whose gateway ended. */
    lost({ name, hasCalled, isModern }) {
      const result = hasCalled || !facts().programs.includes(name)
        ? facts().lost.called
        : facts().lost.uncalled;
      return isModern ? { ...result, resultType: "complete" } : result;
    },
    /** Progress of a call that waits for its gateway. */
    waiting: () => facts().waiting,
    maxBytes: () => facts().maxBytes,
    graceMs: () => facts().graceMs,
  };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHandshake({ protocolVersion, capabilities, clientInfo, _meta }) {
  const { name, version } = Object(clientInfo);
  return typeof protocolVersion === "string" && isObject(capabilities) &&
    typeof name === "string" && typeof version === "string" &&
    Object(_meta)[`${META}protocolVersion`] === undefined;
}

module.exports = { createAnswers };
