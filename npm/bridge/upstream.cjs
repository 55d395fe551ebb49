// The gateway of a client: found or started by a process of Toolscript, which ends then, and reached
// over one HTTP request; or that process itself, where the client shares no gateway.
"use strict";
const { spawn } = require("node:child_process");
const { createLines } = require("./lines.cjs");

/** Bound on a line of the gateway. */
const MAX_BYTES = 256 * 1024 * 1024;
const TICK_MS = 5_000;
/** Many clients at once may keep a gateway busy. */
const RESPONSE_MS = 10_000;
/** Ticks without a byte of a gateway that sends one at every tick, after which it counts as dead. */
const MOST_SILENT = 4;

/** Opens the way to a gateway. `program` is `{ command, args, options, env }`, with the words of the
 * command line before and after the command. Calls of `on`: `about` with the first answers, `ready`,
 * `line`, `drain`, and once `end` with `{ code, wasReady }`. `isBusy` says if somebody waits. */
function openUpstream(program, { on, isBusy }) {
  let link;
  let isOver = false;
  let wasReady = false;

  function ready(next) {
    link = next;
    wasReady = true;
    on.ready();
  }

  function end(code) {
    if (isOver) return;
    isOver = true;
    if (link) link.close();
    child.kill();
    on.end({ code, wasReady });
  }

  function told({ answers, attach, serves, ...rest }) {
    if (isOver) return;
    if (answers) on.about({ answers, ...rest });
    else if (serves) ready(childLink(child));
    else if (attach) link = attachTo(attach, { on: { ...on, ready, end }, isBusy });
  }

  const child = start(program, {
    onLine: (text) => link ? on.line(text) : told(parse(text)),
    onDrain: on.drain,
    // The process ends by itself where it has named a gateway.
    onEnd: (code) => link && link.isRemote ? undefined : end(code),
  });
  return {
    send: (text) => link.send(`${text}\n`),
    pause: () => link && link.pause(),
    resume: () => link && link.resume(),
    /** Ends it; calls `onClosed` when no process is left of it but a gateway that others share. */
    close(onClosed) {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning) child.once("close", onClosed);
      end(0);
      if (!isRunning) onClosed();
    },
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (_) {
    return {};
  }
}

function start({ command, args, options, env }, { onLine, onDrain, onEnd }) {
  const child = spawn(command, [...args, "mcp", "open", ...options], {
    stdio: ["pipe", "pipe", "inherit"],
    env,
    windowsHide: true,
  });
  const lines = createLines({
    maxBytes: () => MAX_BYTES,
    onLine,
    onLong: () => child.kill(),
  });
  child.stdout.on("data", lines.push);
  child.stdin.on("error", () => {}); // its end tells
  child.stdin.on("drain", onDrain);
  child.on("error", (error) => {
    process.stderr.write(
      `Error: Cannot start Toolscript: ${command} does not start: ${error.code}\n`,
    );
    onEnd(1);
  });
  child.on("close", (code) => onEnd(code === null ? 1 : code));
  return child;
}

function childLink(child) {
  return {
    isRemote: false,
    send: (text) => child.stdin.write(text),
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    close: () => child.stdin.end(),
  };
}

/** Opens the request whose bodies carry the lines; the client counts as present as long as it is. */
function attachTo({ url, headers }, { on, isBusy }) {
  const { request: open } = require(url.startsWith("https:") ? "node:https" : "node:http");
  let response;
  let silent = 0;
  const request = open(url, {
    method: "POST",
    agent: false,
    headers: { ...headers, "content-type": "application/x-ndjson" },
  });
  let isClosed = false;
  const over = () => isClosed || on.end(0);
  const late = setTimeout(() => {
    process.stderr.write(
      `Warning: No response at ${url}: what is between must not hold requests\n`,
    );
    over();
  }, RESPONSE_MS);
  const ticks = setInterval(() => {
    silent = isBusy() && !(response && response.isPaused()) ? silent + 1 : 0;
    if (silent > MOST_SILENT) over();
  }, TICK_MS);
  const lines = createLines({ maxBytes: () => MAX_BYTES, onLine: on.line, onLong: over });
  const link = {
    isRemote: true,
    send: (text) => request.write(text),
    pause: () => response && response.pause(),
    resume: () => response && response.resume(),
    close() {
      isClosed = true;
      clearTimeout(late);
      clearInterval(ticks);
      request.destroy();
    },
  };
  request.on("response", (opened) => {
    clearTimeout(late);
    if (opened.statusCode !== 200) return over();
    response = opened;
    opened.on("data", (chunk) => {
      silent = 0;
      lines.push(chunk);
    });
    opened.on("close", over);
    opened.on("error", over);
    return on.ready(link);
  });
  request.on("drain", on.drain);
  request.on("error", over);
  request.flushHeaders();
  return link;
}

module.exports = { openUpstream };
