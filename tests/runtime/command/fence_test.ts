import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { stripFence } from "../../../runtime/command/fence.ts";
import { finding, source } from "./read.ts";

const F = "```";

function stripped(text: string): string {
  const fenced = stripFence(text);
  if (fenced.kind === "finding") throw new Error(fenced.message);
  return fenced.text;
}

Deno.test("stripFence() removes one pair of fences and moves no position", async (t) => {
  const rows: [string, string, string][] = [
    ["RUN-01 back-ticks with a language", `${F}python\nf(1)\n${F}`, "f(1)"],
    ["RUN-01 any tag", `${F}ts title="x"\nf(1)\n${F}`, "f(1)"],
    ["RUN-02 back-ticks without one", `${F}\nf(1)\n${F}`, "f(1)"],
    ["RUN-02 around it, spaces and line breaks", ` \n\t${F}\r\nf(1)\r\n  ${F}\n\n`, "f(1)"],
    ["RUN-02 tildes", "~~~js\nf(1)\n~~~", "f(1)"],
    ["RUN-02 a longer run", `${F}${F}\nf(1)\n${F}${F}`, "f(1)"],
    ["RUN-02 a longer run closes", `${F}\nf(1)\n${F}\`\``, "f(1)"],
    ["RUN-02 code before the closing run", `${F}ts\nf(1)${F}`, "f(1)"],
    ["RUN-03 inline", "`f(1)`", "f(1)"],
    ["RUN-03 two back-ticks", "`` f(1) ``", "f(1)"],
    ["RUN-03 three on one line, with a tag", `${F}ts f(1)${F}`, "f(1)"],
    ["RUN-03 three on one line, without", `${F}f(1)${F}`, "f(1)"],
    ["RUN-04 fences within", `${F}ts\nf("${F}x${F}")\n${F}`, `f("${F}x${F}")`],
    [
      "RUN-04 a fence line within",
      `~~~\nf(\`\n${F}\nx\n${F}\n\`)\n~~~`,
      `f(\`\n${F}\nx\n${F}\n\`)`,
    ],
    ["RUN-04 one pair only", `~~~\n${F}\n1\n${F}\n~~~`, `${F}\n1\n${F}`],
    ["empty", `${F}\n${F}`, ""],
  ];
  for (const [name, text, code] of rows) {
    await t.step(name, () => {
      const plain = stripped(text);
      strictEqual(plain.trim(), code);
      strictEqual(plain.length, text.length);
      if (code !== "") strictEqual(plain.indexOf(code), text.indexOf(code));
    });
  }
});

Deno.test("RUN-05 stripFence() does not change a text without a fence", async (t) => {
  const rows = [
    "f(1)",
    "",
    " \n",
    "`",
    F,
    "`${x} and ${y}`",
    "`a` + `b`",
    "`a`.length",
    `const s = \`\n${F}ts\ncode\n${F}\n\``,
    `Look:\n${F}\nf(1)\n${F}`,
    `${F}\nf(1)\n${F}\nand so on`,
    `${F}\nf(1)\n~~~`,
    `${F}\nf(1)\n\`\``,
    "'```'",
  ];
  for (const text of rows) {
    await t.step(JSON.stringify(text), () => strictEqual(stripped(text), text));
  }
});

Deno.test("RUN-06 the legacy prefix is an error that shows the right syntax", async (t) => {
  const rows = [
    '!onetool upper(text="hello")',
    ' ! onetool upper(text="hello")',
    `${F}\n!onetool upper(text="hello")\n${F}`,
  ];
  for (const text of rows) {
    await t.step(text, () => {
      const { code, message } = finding(text);
      strictEqual(code, "syntax_error");
      match(message, /invalid syntax/i);
      match(message, /upper\(text="hello"\)/);
    });
  }
  match(finding("!onetool").message, /invalid syntax/i);
  deepStrictEqual(source("!onetools").kind, "source");
});

Deno.test("RUN-21 lines count the fence", () => {
  const { line, column, message } = finding(`${F}ts\nconst a = 1;\n  const b = ;\n${F}`);
  deepStrictEqual([line, column], [3, 13]);
  match(message, /Unexpected token/);
});
