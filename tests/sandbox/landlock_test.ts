/** The second wall holds where the first has a hole. */

import assert from "node:assert/strict";
import { behindLandlock, findLandlock } from "../../sandbox/process/landlock.ts";
import { createHost } from "./host.ts";

const perl = findLandlock();

/** Attempts of a Deno with all permissions: the names of the errors, "done" without one. */
const ATTEMPTS = `
const [folder, other, pid] = Deno.args;
const attempts = {
  own: () => Deno.readTextFileSync(folder + "/own.txt"),
  copy: () => Deno.copyFileSync(folder + "/own.txt", folder + "/copy.txt"),
  read: () => Deno.readTextFileSync(other + "/secret.txt"),
  list: () => [...Deno.readDirSync(other)],
  link: () => Deno.readTextFileSync(folder + "/link.txt"),
  root: () => Deno.readTextFileSync("/proc/self/root" + other + "/secret.txt"),
  users: () => Deno.readTextFileSync("/etc/passwd"),
  environment: () => Deno.readTextFileSync("/proc/" + pid + "/environ"),
  write: () => Deno.writeTextFileSync(other + "/new.txt", ""),
  change: () => Deno.writeTextFileSync(other + "/secret.txt", ""),
  move: () => Deno.renameSync(other + "/secret.txt", folder + "/moved.txt"),
  hardLink: () => Deno.linkSync(other + "/secret.txt", folder + "/hard.txt"),
  remove: () => Deno.removeSync(other + "/secret.txt"),
  program: () => new Deno.Command("/bin/sh", { args: ["-c", "true"] }).outputSync(),
};
const ends = Object.entries(attempts).map(([name, attempt]) => {
  try {
    attempt();
    return [name, "done"];
  } catch (error) {
    return [name, error.name];
  }
});
console.log(JSON.stringify(Object.fromEntries(ends)));
`;

Deno.test({
  name: "a program behind the wall has its folder alone",
  ignore: perl === undefined,
  async fn() {
    assert.ok(perl !== undefined);
    const [folder, other] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
    await Deno.writeTextFile(`${folder}/own.txt`, "own text");
    await Deno.writeTextFile(`${folder}/attempts.js`, ATTEMPTS);
    await Deno.writeTextFile(`${other}/secret.txt`, "secret text");
    await Deno.symlink(`${other}/secret.txt`, `${folder}/link.txt`);
    const deno = [Deno.execPath(), "run", "-A", "--no-config", `${folder}/attempts.js`];
    const command = [...deno, folder, other, String(Deno.pid)];
    const { stdout, stderr } = await new Deno.Command("setpriv", {
      args: ["--no-new-privs", "--", ...behindLandlock(perl, command, folder)],
      cwd: folder,
      env: { DENO_DIR: `${folder}/deno` },
    }).output();
    const ends = JSON.parse(new TextDecoder().decode(stdout) || "{}");
    const { own, copy, ...others } = ends;
    assert.deepEqual([own, copy], ["done", "done"], new TextDecoder().decode(stderr));
    assert.equal(Object.keys(others).length, 12);
    assert.deepEqual(Object.entries(others).filter(([, end]) => end === "done"), []);
    assert.equal(await Deno.readTextFile(`${other}/secret.txt`), "secret text");
    for (const path of [folder, other]) await Deno.remove(path, { recursive: true });
  },
});

Deno.test({
  name: "Deno reads no file for a module that a program makes up",
  ignore: perl === undefined,
  async fn() {
    const folder = await Deno.makeTempDir();
    const secret = `canary-${crypto.randomUUID()}`;
    const map = { version: 3, sources: [`file:///${secret}.ts`], names: [], mappings: "AAAA;AACA" };
    await Deno.writeTextFile(`${folder}/a.map`, JSON.stringify(map));
    const module =
      `export const make = () => new Error("x");\n//# sourceMappingURL=file://${folder}/a.map`;
    const address = `data:text/javascript;base64,${btoa(module)}`;
    await using host = createHost();
    const { outcome } = await host.run(
      `return (await import(${JSON.stringify(address)})).make().stack;`,
    );
    assert.ok(outcome.kind === "value" && !String(outcome.value).includes(secret), `${outcome}`);
    assert.ok(host.sandbox.status().walls.includes("landlock"));
    await Deno.remove(folder, { recursive: true });
  },
});
