/** A program changes files that known programs read in the folder where they start. */

import { testCases } from "./server_cases.ts";

testCases({
  "files of version managers": {
    server: { command: "some-server", args: [], cwd: "srv" },
    files: { "srv/a.md": "" },
    closed: ["srv/.prototools", "srv/.sdkmanrc", ".sdkmanrc", "mise/config.toml"],
    open: ["other/a.toml"],
  },
  ...Object.fromEntries(
    [
      ["fastmcp", "run"],
      ["python3", "-m", "fastmcp", "run"],
      ["uvx", "--from", "fastmcp", "fastmcp", "run"],
    ].map(([command = "", ...args]) => [`the settings of ${[command, ...args].join(" ")}`, {
      server: { command, args, cwd: "srv" },
      files: { "srv/fastmcp.json": '{"environment":{"python":"../tools/py"}}', "tools/py": "" },
      closed: ["srv/fastmcp.json", "tools/py"],
      open: ["other/fastmcp.json", "notes.md"],
    }]),
  ),
  ...Object.fromEntries(
    [
      ["jbang", "x@y/z"],
      ["wp", "--path=wp", "mcp-adapter", "serve"],
      ["symfony", "console", "mcp:server"],
      ["drush", "mcp"],
      ["gleam", "run"],
      ["buck2", "run", "//srv"],
      ["rush", "serve"],
      ["rushx", "serve"],
      ["ddev", "drush", "mcp"],
      ["rails", "mcp:start"],
      ["mage", "serve"],
      ["ansible-playbook", "site.yml"],
      ["npx", "-y", "xmcp", "dev"],
    ].map(([command = "", ...args]) => [`all but data, ${[command, ...args].join(" ")}`, {
      server: { command, args, cwd: "." },
      files: { "src/Kernel.php": "" },
      closed: ["src/Kernel.php", "config/services.yaml", "tools/run"],
      open: ["notes.md", "data.csv"],
    }]),
  ),
  ...Object.fromEntries(
    [
      ["php", "bin/console", "mcp:server"],
      ["bin/console", "mcp:server"],
      ["ruby", "bin/console"],
    ].map((
      [command = "", ...args],
    ) => [`settings of the framework, ${[command, ...args].join(" ")}`, {
      server: { command, args, cwd: "." },
      files: {
        "bin/console": `#!/usr/bin/env ${command === "ruby" ? "ruby" : "php"}\n`,
        "src/Kernel.php": "",
      },
      closed: [
        "src/Kernel.php",
        "config/services.yaml",
        "config/database.yml",
        "packages/a/Configuration/Services.yaml",
        "etc/di.xml",
      ],
      open: ["notes.md", "assets/app.js", "data.json"],
    }]),
  ),
  "packages of R without a variable": {
    server: { command: "Rscript", args: ["srv/mcp.R"], cwd: "." },
    files: { "srv/mcp.R": "", "renv/library/linux/R-4.2/x/jsonlite/R/jsonlite": "" },
    closed: ["renv/library/linux/R-4.2/x/jsonlite/R/jsonlite", "packrat/lib/x/R/x"],
    open: ["notes.md", "data/renv.csv"],
  },
  "libraries that Perl and Tcl load beside a script": {
    server: { command: "perl", args: ["-Ilocal/lib/perl5", "srv/mcp.pl"], cwd: "." },
    files: { "srv/mcp.pl": "", "local/lib/perl5/JSON/XS.pm": "" },
    closed: ["local/lib/perl5/auto/JSON/XS/XS.bs", "local/lib/perl5/x/JSON/XS.pm"],
    open: ["notes.md"],
  },
  "an index of Tcl": {
    server: { command: "tclsh", args: ["srv/mcp.tcl"], cwd: "." },
    files: { "srv/mcp.tcl": "" },
    closed: ["srv/tclIndex", "tclIndex", "srv/x-1.0.tm"],
    open: ["notes.md"],
  },
  "settings of programs that start somewhere else, too": {
    server: { command: "dnx", args: ["Some.Mcp@1.0", "--yes"], cwd: "srv" },
    files: { "srv/a.md": "" },
    closed: [
      "srv/nuget.config",
      "srv/NuGet.Config",
      "nuget.config",
      "srv/global.json",
      "srv/jbang-catalog.json",
      "srv/wp-cli.yml",
      "srv/wp-cli.local.yml",
    ],
    open: ["srv/x.cs", "srv/a.json"],
  },
  "modules beside what a server of Python loads": {
    server: { command: "fastapi", args: ["run"], cwd: "." },
    files: {},
    closed: ["main.py", "lib/x.py"],
    open: ["src/x.js", "notes.md"],
  },
  "code in the settings of the folder": {
    server: { command: "node", args: ["/srv/mcp/server.mjs"], cwd: "." },
    files: {},
    closed: ["node.config.json", "vite.config.mts", "config/default.js", "config/a/b.rb"],
    open: ["src/x.js", "src/config/x.js", "config/a.md"],
  },
  "settings of fastmcp that are missing": {
    server: { command: "fastmcp", args: ["run"], cwd: "." },
    files: {},
    closed: ["fastmcp.json"],
    open: ["fast.json"],
  },
  "no modules of Python, but what a word means to another program": {
    server: { command: "some-server", args: ["mcp"], cwd: "." },
    files: {},
    closed: ["mcp.py"],
    open: ["main.py", "src/x.js"],
  },
  "no settings of .NET, but texts in a language": {
    server: { command: "node", args: ["srv/main.js"], cwd: "." },
    files: { "srv/main.js": "", "srv/locales/en/common.json": "{}" },
    closed: ["srv/other.js"],
    open: ["srv/locales/en/global.json"],
  },
});
