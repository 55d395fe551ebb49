// Facts of a project as they were at its last start, for a client that cannot wait for those of now.
"use strict";
const { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } = require(
  "node:fs",
);
const { join } = require("node:path");

/** Files at most; with more, all are removed. */
const MOST = 200;

/** Builds the memory of one command line in one folder, both part of `key`. */
function createMemory({ home, key }) {
  const folder = join(home, ".onetool", "cache", "bridge");
  const file = join(folder, `${hash(key)}.json`);

  function read() {
    try {
      const { key: theirs, facts } = JSON.parse(readFileSync(file, "utf8"));
      return theirs === key ? facts : undefined;
    } catch (_) {
      return undefined; // the first start, or a broken file
    }
  }

  return {
    /** Undefined at the first start. */
    read,
    /** Writes the facts where they are others than before. */
    write(facts) {
      if (JSON.stringify(read()) === JSON.stringify(facts)) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (readdirSync(folder).length >= MOST) rmSync(folder, { recursive: true });
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.${process.pid}`, JSON.stringify({ key, facts }), { mode: 0o600 });
        renameSync(`${file}.${process.pid}`, file);
      } catch (_) {
        // A home that cannot be written to: the next start knows as little as this one.
      }
    },
  };
}

/** FNV-1a, as a file name. */
function hash(text) {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, "0");
}

module.exports = { createMemory };
