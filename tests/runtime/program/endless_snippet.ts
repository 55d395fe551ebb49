/** Reads a snippet that is expanded for ever, says how that ended, and stays until stdin ends. */

import { createProgramReader } from "../../../runtime/program/mod.ts";

const reader = createProgramReader();
const slow = "{% set y = range(9999) | join | list | sort | join %}";
const body = `{% for a in x %}{% for b in x %}${slow}{% endfor %}{% endfor %}`;
const snippets = { slow: { params: { x: {} }, body } };
reader.learn({ names: { packs: [], aliases: {}, snippets, projects: [] }, lists: {} });
const read = await reader.read({ kind: "command", command: `$slow x=${"a".repeat(99)}` });
const report = read.kind === "finding" ? read.finding.message : read.kind;
await Deno.stdout.write(new TextEncoder().encode(`${report}\n`));
await Deno.stdin.read(new Uint8Array(1));
