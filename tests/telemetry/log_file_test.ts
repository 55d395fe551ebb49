import assert from "node:assert/strict";
import { join } from "node:path";
import { createLogFile } from "../../telemetry/log_file.ts";

async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    files.set(name, await Deno.readTextFile(join(folder, name)));
  }
  return files;
}

Deno.test("createLogFile() keeps few files of bounded size with two writers", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "gateway.log");
  const options = {
    path,
    maxBytes: 1_000,
    files: 3,
    onError: (error: unknown) => assert.fail(String(error)),
  };
  for (let round = 0; round < 12; round++) {
    await using one = createLogFile(options);
    await using two = createLogFile(options);
    for (let at = 0; at < 10; at++) {
      one.write(`one ${round} ${at} ${"x".repeat(20)}\n`);
      two.write(`two ${round} ${at} ${"x".repeat(20)}\n`);
    }
  }
  const files = await filesOf(folder);
  assert.deepEqual([...files.keys()].sort(), ["gateway.log", "gateway.log.1", "gateway.log.2"]);
  for (const [name, text] of files) {
    assert.ok(text.length <= 1_000, `${name} has ${text.length} bytes`);
    assert.match(text, /^((one|two) \d+ \d x{20}\n)+$/);
  }
  assert.match(files.get("gateway.log") ?? "", /(one|two) 11 9/);
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("createLogFile() reports its first failure only", async () => {
  const folder = await Deno.makeTempDir();
  const errors: unknown[] = [];
  const file = createLogFile({
    path: join(folder, "none", "gateway.log"),
    maxBytes: 1_000,
    files: 2,
    onError: (error) => errors.push(error),
  });
  for (let round = 0; round < 2; round++) {
    file.write("line\n");
    await file[Symbol.asyncDispose]();
  }
  assert.equal(errors.length, 1);
  await Deno.remove(folder, { recursive: true });
});
