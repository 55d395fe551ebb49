// Splits bytes into lines, with a bound on the length of one.
"use strict";

const LINE_BREAK = 10;

/** Builds a splitter: `push` takes bytes and calls `onLine` with each whole line as text, `end` with
 * the rest. A line of more than `maxBytes()` goes to `onLong`, and nothing after it is read. */
function createLines({ maxBytes, onLine, onLong }) {
  let parts = [];
  let size = 0;
  let isOver = false;

  function add(bytes) {
    size += bytes.length;
    if (size > maxBytes()) {
      isOver = true;
      parts = [];
      onLong();
    } else if (bytes.length > 0) parts.push(bytes);
  }

  function flush() {
    const text = (parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString("utf8");
    parts = [];
    size = 0;
    if (text.trim() !== "") onLine(text);
  }

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
        if (!isOver) add(chunk.subarray(start, end));
        if (isOver) return;
        flush();
        start = end + 1;
      }
      if (!isOver && start < chunk.length) add(chunk.subarray(start));
    },
    end() {
      if (!isOver && size > 0) flush();
    },
  };
}

module.exports = { createLines };
