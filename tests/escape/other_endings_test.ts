/** A program changes a module beside a server's script in a language that is not known. */

import { testCases } from "./server_cases.ts";

testCases({
  ...Object.fromEntries(
    [
      ["hy", "hy"],
      ["sbcl --script", "lisp"],
      ["racket", "rkt"],
      ["guile", "scm"],
      ["coffee", "litcoffee"],
      ["dotnet-script", "csx"],
      ["wolframscript -file", "wls"],
      ["unheard-of", "xyz"],
      ["unheard-of run", "x-1"],
    ].map(([line = "", ending]) => {
      const [command = "", ...args] = line.split(" ");
      return [`the modules beside a script, ${line} server.${ending}`, {
        server: { command, args: [...args, `mcp/server.${ending}`], cwd: "." },
        files: { [`mcp/server.${ending}`]: "", [`mcp/lib.${ending}`]: "" },
        closed: [`mcp/server.${ending}`, `mcp/lib.${ending}`, `mcp/deep/lib.${ending}`],
        open: ["mcp/notes.md", "mcp/a.json", "mcp/b"],
      }];
    }),
  ),
  "the modules of a known language in the whole package": {
    server: { command: "hy", args: ["mcp/server.hy"], cwd: "." },
    files: { "mcp/server.hy": "" },
    closed: ["lib/x.hy"],
    open: ["lib/x.json"],
  },
  ...Object.fromEntries(
    ["settings.json", "a.yaml", "page.html", "site.css", "a.toml", "data.csv", "x.lock"].map((
      name,
    ) => [`not the settings and pages beside those that a command names, ${name}`, {
      server: { command: "some-server", args: [`docs/${name}`], cwd: "." },
      files: { [`docs/${name}`]: "" },
      closed: [".mcp.json"],
      open: ["docs/a", "docs/other.json", `docs/new${name}`],
    }]),
  ),
  "not the files beside a data file of an unknown ending that is missing": {
    server: { command: "some-server", args: ["--out", "out/a.xyz"], cwd: "." },
    files: { "out/a.md": "" },
    closed: ["out/a.xyz"],
    open: ["out/b.xyz"],
  },
});
