/** A program changes what variables of a server have it load. */

import { testCases } from "./server_cases.ts";

type Row = readonly [line: string, name: string, value: string, closed: string];

const FILES = {
  "server.js": "",
  "conf/hook.txt": "",
  "conf/my hook.txt": "",
  "conf/pins.txt": "-r more.txt\n",
  "conf/more.txt": "",
  "wheels/a.whl": "",
  "index/tool/index.html": "",
  "lib/keep": "",
};

const ROWS: readonly Row[] = [
  ["node server.js", "NODE_OPTIONS", "--require=./conf/hook.txt", "conf/hook.txt"],
  ["node server.js", "NODE_OPTIONS", "-r ./conf/hook.txt", "conf/hook.txt"],
  ["node server.js", "NODE_OPTIONS", "--import=./conf/hook.txt", "conf/hook.txt"],
  ["node server.js", "NODE_OPTIONS", "-r ./a.md -r ./conf/hook.txt", "a.md conf/hook.txt"],
  ["node server.js", "NODE_OPTIONS", '--require "./conf/my hook.txt"', "conf/my hook.txt"],
  ["npx -y tool", "NODE_OPTIONS", "--require=./conf/late.txt", "conf/late.txt conf/lib.js"],
  ["env NODE_OPTIONS=-r▁./conf/hook.txt node server.js", "A", "1", "conf/hook.txt"],
  ["java -jar /abs/x.jar", "JAVA_TOOL_OPTIONS", "-javaagent:./conf/hook.txt=a", "conf/hook.txt"],
  ["java -jar /abs/x.jar", "JDK_JAVA_OPTIONS", "@conf/hook.txt", "conf/hook.txt"],
  ["ruby /abs/x.rb", "RUBYOPT", "-r./conf/hook.txt", "conf/hook.txt"],
  ["bash -c echo", "BASH_ENV", "conf/hook.txt", "conf/hook.txt"],
  ["make serve", "MAKEFILES", "conf/hook.md", "conf/hook.md"],
  ["uvx tool", "UV_OVERRIDE", "conf/pins.txt", "conf/pins.txt conf/more.txt"],
  ["uvx tool", "UV_CONSTRAINT", "./conf/late.txt", "conf/late.txt"],
  ["uvx tool", "UV_ENV_FILE", "conf/hook.txt", "conf/hook.txt"],
  ["uvx tool", "UV_CONFIG_FILE", "conf/hook.txt", "conf/hook.txt"],
  ["uvx tool", "UV_FIND_LINKS", "https://example.com,./wheels", "wheels/a.whl wheels/b.txt"],
  ["uvx tool", "PIP_FIND_LINKS", "./late", "late/a.whl"],
  ["uvx tool", "UV_INDEX", "own=file:./index", "index/tool/index.html index/a.txt"],
  ["pip install x", "PIP_REQUIREMENT", "conf/pins.txt", "conf/pins.txt conf/more.txt"],
  ["node server.js", "NODE_COMPILE_CACHE", "./conf", "conf/v24/1a2b conf/hook.txt"],
  ["npx -y tool", "npm_config_userconfig", "conf/hook.txt", "conf/hook.txt"],
  ["npx -y tool", "XDG_CONFIG_HOME", "conf", "conf/git/config conf/hook.txt"],
  ["php /abs/x.php", "PHP_INI_SCAN_DIR", "conf", "conf/x.ini"],
  ["tclsh /abs/x.tcl", "TCLLIBPATH", "./lib", "lib/pkgIndex.tcl lib/x.so.1 lib/tclIndex"],
  ["Rscript /abs/x.R", "R_PROFILE_USER", "./conf/hook.txt", "conf/hook.txt"],
  ["Rscript /abs/x.R", "R_LIBS_USER", "./lib", "lib/x/R/x.R lib/x/R/x lib/x/Meta/hsearch.rds"],
  ["perl /abs/x.pl", "PERL5LIB", "./lib", "lib/auto/X/X.bs lib/auto/X/autosplit.ix"],
  ["lua /abs/x.lua", "LUA_PATH", "./lib", "lib/x"],
  ["emacs --script /abs/x.el", "EMACSLOADPATH", "./lib", "lib/x.elc"],
  ["julia /abs/x.jl", "JULIA_LOAD_PATH", "./lib", "lib/x.jl"],
  ["pwsh /abs/x.ps1", "PSModulePath", "./lib", "lib/x/x.psm1"],
  ["psql", "PSQLRC", "./conf/hook.txt", "conf/hook.txt"],
  ["erl -noshell", "ERL_LIBS", "lib", "lib/x/src/x.erl"],
  ["/abs/server", "LD_LIBRARY_PATH", "./lib", "lib/libdl.so.2 lib/libx.dylib lib/libc.so.6.1"],
  ["/abs/server", "MY_PLUGIN_DIR", "./lib", "lib/x.py lib/x.js"],
  ["uvx -b conf/pins.txt tool", "A", "1", "conf/pins.txt conf/more.txt"],
  ["uvx --config-file conf/hook.txt tool", "A", "1", "conf/hook.txt"],
];

testCases({
  ...Object.fromEntries(ROWS.map(([line, name, value, closed]) => {
    const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("▁", " "));
    return [`a variable, ${line}, ${name}=${value}`, {
      server: { command, args, cwd: ".", env: { [name]: value } },
      files: FILES,
      closed: closed.includes("my ") ? [closed] : closed.split(" "),
      open: ["notes.md", "other/a.csv"],
    }];
  })),
  "a variable with data": {
    server: {
      command: "npx",
      args: ["some-server"],
      cwd: ".",
      env: {
        DB_PATH: "./notes.db",
        NODE_ENV: "production",
        OUT: "out.txt",
        DOCS: "./docs",
        MY_SRC: "docs",
      },
    },
    files: { "notes.db": "", "out.txt": "", "docs/a.js": "" },
    closed: [".mcp.json"],
    open: ["notes.db", "out.txt", "docs/a.js", "docs/b.py", "src/x.js"],
  },
});
