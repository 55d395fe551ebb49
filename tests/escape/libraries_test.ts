/** A program writes a shared library, or settings that are code, where a server's loader looks. */

import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

const FILES = {
  "srv/server.py": "",
  "srv/index.js": "",
  "rt/lib/liba.so": "",
  "pylibs/numpy/__init__.py": "",
};
const OPEN = ["notes.md", "data/a.csv", "data/so.csv", "so.1.md"];

const ROWS: Readonly<Record<string, readonly string[]>> = {
  "python3 srv/server.py": ["pylibs/numpy.libs/libgcc_s.so.1", "lib/x.so", "a.so.5.0.0"],
  "python3 -m srv": ["srv/numpy.libs/libx.so.5.0.0", "x.dll"],
  "node srv/index.js": ["lib/libdl.so.2", "srv/build/Release/libvips.so.42", "lib/LIBX.SO.1"],
  "./rt/bin/server": ["rt/lib/liba.so", "rt/lib/libb.so.1", "lib/libc.dylib"],
  "./python/bin/python3 srv/server.py": ["python/lib/libm.so.6", "python/lib/libm.so-2.36"],
  "/lib64/ld-linux-x86-64.so.2 --library-path ./lib ./srv/server": ["lib/libc.so.6", "lib/x.so"],
  "qemu-x86_64 -L ./sysroot ./srv/server": ["sysroot/lib/libc.so.6"],
  "java -jar /srv/server.jar": ["native/libx.so.1", "libx.dylib"],
  "node -r @babel/register srv/index.js": ["babel.config.json", "srv/babel.config.json5"],
  "node node_modules/.bin/wrangler dev": ["wrangler.toml", "wrangler.jsonc", "x.config.yaml"],
  "php -S localhost:80": ["php.ini", "srv/.user.ini"],
};

testCases(
  Object.fromEntries(
    Object.entries(ROWS).map(([line, closed]) => {
      const [command = "", ...args] = line.split(" ");
      return [line, { server: { command, args, cwd: "." }, files: FILES, closed, open: OPEN }];
    }),
  ),
);

Deno.test("libraries are files like others where no server starts", () =>
  withProject({
    config: { servers: { it: { command: "npx", args: ["-y", "some-server"] } } },
    files: {},
  }, async ({ call }) => {
    for (const path of ["lib/libx.so.1", "babel.config.json", "wrangler.toml"]) {
      await call("file.write", { path, text: "x" });
    }
  }));

Deno.test("no program makes a program in the home folder that shells or desktops start", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "~"] } } },
    files: { "bin/mine": "" },
  }, async ({ home, call, refused }) => {
    const closed = [
      "bin/ls",
      "sbin/ls",
      "go/bin/x",
      "perl5/lib/perl5/strict.pm",
      "R/x-library/x.R",
      "Library/LaunchAgents/x.plist",
      "Library/Application Support/Claude/any.json",
      "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/x.bat",
      "vimfiles/a.vim",
      "Documents/PowerShell/profile.ps1",
      "Documents/WindowsPowerShell/a.ps1",
      "_vimrc",
      "other/claude_desktop_config.json",
      "other/Microsoft.PowerShell_profile.ps1",
    ];
    for (const path of closed) await refused("file.write", { path: `${home}/${path}`, text: "x" });
    await call("file.write", { path: `${home}/Documents/a.md`, text: "x" });
    await call("file.write", { path: `${home}/work/bin/a.sh`, text: "x" });
    await call("file.write", { path: "bin/other", text: "x" });
  }));
