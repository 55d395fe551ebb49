/** Messages of PostgreSQL in pieces. */

import assert from "node:assert/strict";
import { followMessages } from "../../../../../packs/builtin/db/postgres/messages.ts";
import {
  DONE,
  fields,
  int,
  joined,
  message,
  OPENED,
  PREPARED,
  row,
  text,
} from "../../../../support/fake_postgres.ts";

/** Reads the bytes in two pieces. Throws where they are no messages. */
function read(bytes: Uint8Array, cut: number): void {
  const follow = followMessages(() => {});
  follow(bytes.slice(0, cut));
  follow(bytes.slice(cut));
}

Deno.test("messages are followed wherever the bytes are cut", () => {
  const error = message("E", joined(text("SERROR"), text("Mwrong"), int(0, 1)));
  const bytes = joined(
    OPENED,
    ...[message("N", int(0, 2)), PREPARED, fields("a", "b"), row("1", null), row("", "ß2"), DONE],
    ...[fields(), row(), DONE, message("G", joined(int(0, 1), int(1, 2), int(0, 2))), error, DONE],
  );
  for (let cut = 0; cut <= bytes.length; cut++) read(bytes, cut);
});

Deno.test("what is no message is found wherever the bytes are cut", () => {
  const wrong = {
    length: message("S", int(0), 3),
    row: message("D", joined(int(2, 2), int(2), int(0, 2), int(-2))),
    rest: message("D", joined(int(2, 2), int(-1), int(1), int(0, 2))),
    error: message("E", joined(text("SERROR"), text("Mwrong"))),
    columns: message("T", joined(int(2, 2), new Uint8Array(37))),
    signIns: joined(...Array.from({ length: 11 }, () => message("R", int(0)))),
  };
  const before = joined(OPENED, PREPARED, fields("a", "b"), row("1", null));
  for (const [name, bytes] of Object.entries(wrong)) {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const place = `${name} is not found after ${cut} bytes`;
      assert.throws(() => read(joined(before, bytes), before.length + cut), /no message/, place);
    }
  }
});

Deno.test("each length is checked at the head of its message", () => {
  const lengths: number[] = [];
  const follow = followMessages((length) => void lengths.push(length));
  const bytes = joined(PREPARED, fields(), row(), message("D", new Uint8Array(), 2 ** 32 - 1));
  for (const byte of bytes) follow(Uint8Array.of(byte));
  assert.deepEqual(lengths, [0, 0, 2, 2, 2 ** 32 - 5]);
});
