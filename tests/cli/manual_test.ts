/** `toolscript help`: the manual, as text and as a man page. */

import assert from "node:assert/strict";
import { COMMANDS } from "../../cli/commands.ts";
import { caught } from "./io.ts";

const SECTIONS = ["NAME", "SYNOPSIS", "COMMANDS", "FILES", "ENVIRONMENT", "EXIT STATUS"];

Deno.test("toolscript help names every command, option, file, variable and exit code", async () => {
  const { code, stdout } = await caught(["help"], { cwd: "/", home: "/" });
  assert.equal(code, 0);
  for (const section of SECTIONS) assert.match(stdout, new RegExp(`^${section}$`, "m"));
  for (const { name, about, options = {} } of COMMANDS) {
    assert.match(stdout, new RegExp(`^  ${name}\\b`, "m"));
    assert.ok(stdout.includes(about), about);
    for (const option of Object.keys(options)) assert.ok(stdout.includes(`--${option}`), option);
  }
  for (const word of ["TOOLSCRIPT_TRUST", "~/.onetool/trust.json", "130"]) {
    assert.ok(stdout.includes(word), word);
  }
  const page = await Deno.readTextFile(
    new URL("../../docs/reference/command-line.md", import.meta.url),
  );
  for (const [name] of page.matchAll(/\bTOOLSCRIPT_\w+/g)) assert.ok(stdout.includes(name), name);
});

Deno.test("toolscript help --man is the same as roff, in which no text formats", async () => {
  const { code, stdout } = await caught(["help", "--man"], { cwd: "/", home: "/" });
  assert.equal(code, 0);
  assert.match(stdout, /^\.TH "TOOLSCRIPT" "1" "" "0\.1\.0"$/m);
  for (const section of SECTIONS) assert.match(stdout, new RegExp(`^\\.SH "${section}"$`, "m"));
  for (const line of stdout.trimEnd().split("\n")) {
    assert.match(line, /^(\.(TH|SH|TP|B|br|RS|RE)( |$)|\\&\.|[^.'])/, line);
  }
  for (const { name } of COMMANDS) {
    assert.ok(stdout.includes(`.B "${name.replaceAll("-", "\\-")}`), name);
  }
});
