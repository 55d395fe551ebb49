/** A program changes files that known programs read in the folder where they start. */

import { testCases } from "./server_cases.ts";

testCases({
  "files of version managers": {
    server: { command: "some-server", args: [], cwd: "srv" },
    files: { "srv/a.md": "" },
    closed: ["srv/.prototools", "srv/.sdkmanrc", ".sdkmanrc", "mise/config.toml"],
    open: ["other/a.toml"],
  },
});
