// `toolscript mcp` in Node alone: MCP on stdin and stdout, in front of the gateway that the project's
// clients share. Deno only finds or starts it.
"use strict";
const { homedir } = require("node:os");
const { createAnswers } = require("./answers.cjs");
const { createLines } = require("./lines.cjs");
const { createMemory } = require("./memory.cjs");
const { createSession } = require("./session.cjs");
const { openUpstream } = require("./upstream.cjs");

/** Time from the start of this process in which the answers of the project are waited for. */
const ANSWER_MS = 700;
/** Bytes for a gateway that is not there yet, after which no more is read. */
const MOST_QUEUED = 4 * 1024 * 1024;
/** Time for a gateway of this client alone to end. */
const LAST_MS = 5_000;
/** Time after the start at which little is left to do. */
const SHRINK_MS = 2_000;

/** Serves the client of this process until one of them ends. `program` is `{ command, args, options,
 * env }`; `constants` the facts of the package, if this is one. */
function bridge(program, constants) {
  const { stdin, stdout } = process;
  const answers = createAnswers({
    constants,
    memory: memoryOf(program, constants),
    waitMs: Math.max(0, ANSWER_MS - performance.now()),
  });
  let hasEnded = false;
  let isEnding = false;

  function write(message) {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    if (!stdout.write(`${text}\n`)) session.pause();
  }

  function warn(text) {
    process.stderr.write(`Warning: ${text}\n`);
  }

  function flow(isFree) {
    if (!isFree || session.queued() > MOST_QUEUED) stdin.pause();
  }

  function finish(code) {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), LAST_MS).unref();
    session.close(() => stdout.write("", () => process.exit(code)));
  }

  const session = createSession({
    write,
    warn,
    answers,
    open: (on) => openUpstream(program, { on, isBusy: () => session.isBusy() }),
    onIdle: () => hasEnded && finish(0),
    onReady: () => setTimeout(shrink, SHRINK_MS).unref(),
    onDrain: () => stdin.resume(),
    onFailed: (code, wasReady) => wasReady || finish(code || 1),
  });

  /** Open requests get their answers, for a while. */
  function ended() {
    if (hasEnded) return;
    hasEnded = true;
    if (session.isIdle()) finish(0);
    else answers.whenKnown(() => setTimeout(() => finish(0), answers.graceMs()));
  }

  const lines = createLines({
    maxBytes: answers.maxBytes,
    onLine: (text) => flow(session.fromClient(text)),
    onLong() {
      warn(
        `Cannot read a message: it has more than ${answers.maxBytes()} bytes: send less, or raise ` +
          "gateway.max_body_mb",
      );
      ended();
    },
  });
  stdin.on("data", lines.push);
  stdin.on("error", ended);
  stdin.on("end", () => {
    lines.end();
    ended();
  });
  stdout.on("error", () => finish(0)); // the client has gone
  stdout.on("drain", session.resume);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => finish(0));
  process.on("SIGHUP", () => finish(129));
  session.connect();
}

/** Gives back the memory of the start, which every client has. */
function shrink() {
  const { setFlagsFromString } = require("node:v8");
  const { runInNewContext } = require("node:vm");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const all = { type: "major", execution: "sync", flavor: "last-resort" };
  collect(all);
  collect(all);
}

function memoryOf({ options, env }, constants) {
  const version = constants && constants.answers.legacy.results.initialize.serverInfo.version;
  const folders = [process.cwd(), env.CLAUDE_PROJECT_DIR || ""];
  return createMemory({
    home: env.HOME || homedir(),
    key: JSON.stringify([version || "", folders, options]),
  });
}

module.exports = { bridge };
