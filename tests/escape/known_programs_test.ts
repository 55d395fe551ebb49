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
  "settings of fastmcp that are missing": {
    server: { command: "fastmcp", args: ["run"], cwd: "." },
    files: {},
    closed: ["fastmcp.json"],
    open: ["fast.json"],
  },
});
