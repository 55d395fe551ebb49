/** Short arguments of tools that only read, from which one large text would be made: an allocation of
 * some hundred megabytes at once ends the process, whatever heap its thread may have. */

import { deepEqual, equal, throws } from "node:assert/strict";
import { JobRefused } from "../../packs/jobs/protocol.ts";
import { replaceAll } from "../../packs/builtin/text/work/pattern.ts";

const REFUSED = { name: JobRefused.name, message: /more than/ };

interface Replacing {
  readonly text: string;
  readonly pattern: string;
  readonly replacement: string;
  readonly flags?: string;
  readonly literal?: boolean;
  readonly all?: boolean;
}

function replaced(input: Replacing, maxText = 100_000) {
  return replaceAll({ flags: "", literal: false, all: true, ...input, maxText });
}

const A = "a".repeat(1_000);
const HUGE: Record<string, Replacing> = {
  "a long replacement": { text: A, pattern: "a", replacement: "b".repeat(560) },
  "as it stands": { text: A, pattern: "a", replacement: "b".repeat(560), literal: true },
  "the match": { text: A, pattern: ".+", replacement: "$&".repeat(101) },
  "the text before": { text: A, pattern: "a", replacement: "$`" },
  "the text behind": { text: A, pattern: "a", replacement: "$'" },
  "a group": { text: A, pattern: "(a+)", replacement: "$1".repeat(101) },
  "a group of two digits": { text: A, pattern: "(a+)", replacement: "$01".repeat(101) },
  "a group and a digit": { text: A, pattern: "(a+)", replacement: "$12".repeat(101) },
  "a named group": { text: A, pattern: "(?<n>a+)", replacement: "$<n>".repeat(101) },
  "a group of what is ahead": { text: A, pattern: "(?=(a*))", replacement: "$1" },
  "nothing": { text: A, pattern: "", replacement: "b".repeat(560) },
  "the first alone": { text: A, pattern: "a+", replacement: "$&".repeat(101), all: false },
};

Deno.test("text.replace refuses before it writes a text over the limit", async (t) => {
  for (const [name, input] of Object.entries(HUGE)) {
    await t.step(name, () => void throws(() => replaced(input), REFUSED));
  }
});

Deno.test("text.replace counts what stands there afterwards", async (t) => {
  const parts = ["$", "$$", "$&", "$`", "$'", "$0", "$00", "$1", "$01", "$2", "$3", "$12", "$20"]
    .concat("$99", "$<", "$<n>", "$<m>", "$<none>", "$<>", "b", "$$&", "$$$1");
  const patterns = [
    "b",
    "(b)",
    "(?<n>b)(c)?",
    "(?<n>b)|(?<m>c)",
    `${"(".repeat(12)}b${")".repeat(12)}`,
  ];
  for (const pattern of patterns) {
    for (const replacement of [...parts, parts.join(""), parts.join("x")]) {
      await t.step(`${pattern} ${replacement}`, () => {
        const input = { text: "abcabcd", pattern, replacement };
        const text = input.text.replace(new RegExp(pattern, "g"), replacement);
        equal(replaced(input, text.length).text, text);
        throws(() => replaced(input, text.length - 1), REFUSED);
      });
    }
  }
  deepEqual(replaced({ text: A, pattern: "a", replacement: "" }, 0), { text: "", count: 1_000 });
  // What comes later takes away: the text never has more than it has in the end.
  equal(replaced({ text: "ab".repeat(50), pattern: "a|b+", replacement: "$&" }, 100).count, 100);
});
