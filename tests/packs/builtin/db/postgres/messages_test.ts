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
    message("N", int(0, 2)),
    PREPARED,
    fields("a", "b"),
    row("1", null),
    row("", "ß2"),
    DONE,
    fields(),
    row(),
    DONE,
    message("G", joined(int(0, 1), int(1, 2), int(0, 2))),
    error,
    DONE,
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

/** Kind and length of a message that does not come. */
const head = (kind: string, length: number) => message(kind, new Uint8Array(), length + 4);

Deno.test("each kind of message has a length of its own, checked at its head", () => {
  const most = {
    1: 0,
    2: 0,
    3: 0,
    I: 0,
    c: 0,
    n: 0,
    s: 0,
    Z: 1,
    A: 16_384,
    C: 1_024,
    K: 260,
    R: 4_096,
    S: 65_536,
    E: 1_048_576,
    N: 1_048_576,
    T: 262_144,
    t: 8_192,
    G: 4_096,
    H: 4_096,
  };
  for (const [kind, length] of Object.entries(most)) {
    followMessages(() => {})(head(kind, length));
    const follow = followMessages(() => {});
    assert.throws(() => follow(head(kind, length + 1)), /longer than its kind|is over 1 MB/, kind);
  }
  for (const kind of ["D", "d"]) followMessages(() => {})(head(kind, 2 ** 31));
});

Deno.test("a message of a kind that the driver does not know is refused at its head", () => {
  for (let code = 0; code < 256; code++) {
    const kind = String.fromCharCode(code);
    if ("123AcCdDEGHIKnNRsStTZ".includes(kind)) continue;
    const bytes = Uint8Array.of(code, 0, 0, 0, 4);
    assert.throws(() => followMessages(() => {})(bytes), /no message of PostgreSQL/, `${code}`);
  }
});

Deno.test("an error or a notice has few fields, wherever the bytes are cut", () => {
  for (const kind of ["E", "N"]) {
    for (const field of [text("Ma"), text("M"), Uint8Array.of(255, 255, 0)]) {
      const report = (count: number) =>
        message(kind, joined(...Array.from({ length: count }, () => field), int(0, 1)));
      const [fits, many] = [report(32), report(33)];
      for (let cut = 0; cut <= fits.length; cut++) read(joined(fits, DONE), cut);
      for (let cut = 0; cut <= many.length; cut++) {
        assert.throws(() => read(many, cut), /too many fields/, `${kind} cut after ${cut} bytes`);
      }
    }
  }
});

Deno.test("the end of an error is looked for within it", () => {
  const field = text("Mwrong");
  for (const content of [int(0, 1), joined(field, int(0, 1)), joined(field, int(0, 3))]) {
    const bytes = joined(message("E", content), DONE);
    for (let cut = 0; cut <= bytes.length; cut++) read(bytes, cut);
  }
  for (const content of [field, text("M").slice(0, 1), field.slice(0, 3)]) {
    const bytes = joined(message("N", content), message("S", int(0)));
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.throws(() => read(bytes, cut), /has no end/, `cut after ${cut} bytes`);
    }
  }
});
