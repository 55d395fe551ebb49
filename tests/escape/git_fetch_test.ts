/** Git, as the command line asks it in a stranger's repository, fetches nothing by the repository's own
 * programs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { caught } from "../cli/io.ts";

const MCP = JSON.stringify({
  mcpServers: { a: { command: "/bin/true", env: { A_TOKEN: "sk_live_secret" } } },
});

interface Clone extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  /** Whether a program of the repository ran. */
  ran(): Promise<boolean>;
}

/** A repository whose ignore rules are missing in the work tree and in the objects: git fetches them.
 * `remote` makes the settings of a remote of a program. */
async function openClone(remote: (program: string) => Record<string, string>): Promise<Clone> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-fetch-" }));
  const [home, cwd] = [join(root, "home"), join(root, "clone")];
  for (const folder of [home, cwd]) await Deno.mkdir(folder);
  const git = async (...args: string[]) => {
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args],
      cwd,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  };
  await Deno.writeTextFile(join(cwd, ".gitignore"), "*.log\n");
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "begins");
  const id = await git("rev-parse", "HEAD:.gitignore");
  await git("update-index", "--skip-worktree", ".gitignore");
  await Deno.remove(join(cwd, ".gitignore"));
  await Deno.remove(join(cwd, ".git/objects", id.slice(0, 2), id.slice(2)));
  const program = join(root, "program");
  await Deno.writeTextFile(program, `#!/bin/sh\ntouch ${root}/ran\nexit 1\n`, { mode: 0o755 });
  const settings = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    ...remote(program),
  };
  for (const [key, value] of Object.entries(settings)) await git("config", key, value);
  await Deno.writeTextFile(join(cwd, ".mcp.json"), MCP);
  return {
    home,
    cwd,
    ran: () => Deno.stat(join(root, "ran")).then(() => true, () => false),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const REMOTES: Readonly<Record<string, (program: string) => Record<string, string>>> = {
  "a helper": (program) => ({
    "remote.origin.url": `ext::${program}`,
    "protocol.ext.allow": "always",
  }),
  "a program of a folder": (program) => ({
    "remote.origin.url": "/",
    "remote.origin.uploadpack": program,
  }),
  "a shell of another host": (program) => ({
    "remote.origin.url": "ssh://host.invalid/x",
    "core.sshCommand": program,
  }),
  "an address for another": (program) => ({
    "remote.origin.url": "x:y",
    [`url.ext::${program} .insteadOf`]: "x:",
    "protocol.allow": "always",
  }),
};

for (const command of [["init"], ["connect", "claude-code", "--move"]]) {
  Deno.test(`${command[0]} lets git start no program for what a repository lacks`, async (t) => {
    for (const [name, remote] of Object.entries(REMOTES)) {
      await t.step(name, async () => {
        await using clone = await openClone(remote);
        const { stderr } = await caught(command, clone);
        const text = await Deno.readTextFile(join(clone.cwd, ".onetool/secrets.yaml"));
        assert.equal(text, "A_TOKEN: sk_live_secret\n", stderr);
        assert.equal(await clone.ran(), false);
      });
    }
  });
}
