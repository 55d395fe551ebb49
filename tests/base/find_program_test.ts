import assert from "node:assert/strict";
import { findProgram, withinMemory } from "#base";

Deno.test("withinMemory() ends a program that takes more", {
  ignore: findProgram("prlimit") === undefined,
}, async () => {
  const [command, ...words] = withinMemory(findProgram("dd") ?? "dd", 300_000_000);
  const codes = ["100M", "900M"].map(async (size) => {
    const args = [...words, "if=/dev/zero", "of=/dev/null", `bs=${size}`, "count=1"];
    return (await new Deno.Command(command, { args, stderr: "null" }).output()).success;
  });
  assert.deepEqual(await Promise.all(codes), [true, false]);
});
