/** A program changes a module that a server loads: by a name before its own, in another folder, in
 * another language. */

import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

interface Case {
  readonly server: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a name that is looked up before the module's own": {
    server: { command: "node", args: ["srv/server.js"] },
    files: { "srv/server.js": 'require("./lib")', "srv/lib.js": "", "srv/v1.data.json": "{}" },
    closed: ["srv/lib", "srv/v1.data", "srv/server"],
    open: ["srv/other", "srv/notes.txt"],
  },
  "a script without an ending": {
    server: { command: "node", args: ["bin/server"] },
    files: { "bin/server": 'require("./impl.js")', "bin/impl.js": "", "bin/late.js": "" },
    closed: ["bin/server", "bin/impl.js", "bin/impl", "bin/deep/new.js"],
    open: ["bin/notes.txt"],
  },
  "a script without an ending behind another program": {
    server: { command: "env", args: ["A=1", "python3", "bin/server"] },
    files: { "bin/server": "import impl" },
    closed: ["bin/impl.py", "bin/impl/__init__.py"],
    open: ["bin/data.json"],
  },
  "imports from other folders": {
    server: { command: "node", args: ["bin/server.mjs"] },
    files: {
      "bin/server.mjs": 'import "../src/one.mjs"; import("../lib/index");\nrequire("../util")',
      "src/one.mjs": "export { two } from \"./deep/two\";\nimport './deep/three.js';",
      "src/deep/two.ts": "",
      "src/deep/three.ts": 'import "../../far/four.js"',
      "far/four.js": "",
      "util/index.js": "",
      "lib/index.cjs": "",
    },
    closed: [
      ...["src/one.mjs", "src/deep/two.ts", "src/deep/two.js", "src/deep/two", "src/deep/three.ts"],
      ...["far/four.js", "util/index.js", "util.js", "util", "lib/index.cjs", "lib/index.js"],
    ],
    open: ["src/five.mjs", "far/notes.txt", "app.js"],
  },
  "Perl loads a compiled module first": {
    server: { command: "perl", args: ["srv/server.pl"] },
    files: { "srv/server.pl": "use Foo", "srv/Foo.pm": "" },
    closed: ["srv/Foo.pmc", "srv/Foo.pm", "srv/Deep/Bar.pm"],
    open: ["srv/notes.txt"],
  },
  "Go compiles its folder": {
    server: { command: "go", args: ["run", "."], cwd: "srv" },
    files: { "srv/main.go": "package main" },
    closed: ["srv/evil.go", "srv/go.mod", "srv/vendor/x/y.go", "srv/asm_amd64.s", "srv/go.work"],
    open: ["srv/notes.txt", "go.txt", "other/main.go"],
  },
  "Go compiles packages beside the one that is named": {
    server: { command: "sh", args: ["-c", "exec go run ./cmd/server"] },
    files: { "cmd/server/main.go": "package main" },
    closed: ["cmd/server/evil.go", "internal/a.go", "go.work", "vendor/modules.go"],
    open: ["notes.txt"],
  },
  "Cargo, .NET, Maven and Gradle compile theirs": {
    server: {
      command: "sh",
      args: ["-c", "cargo run || dotnet run || mvn exec:java || ./gradlew run"],
    },
    files: {},
    closed: [
      ...["src/tools.rs", "build.rs", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
      ...["Program.cs", "app.csproj", "Directory.Build.props", "global.json", "pom.xml"],
      ...["src/main/java/A.java", "build.gradle", "build.gradle.kts", "gradle.properties"],
    ],
    open: ["notes.txt", "src/data.csv"],
  },
  "Rake loads its library": {
    server: { command: "rake", args: ["serve"] },
    files: { "Rakefile": "" },
    closed: ["Rakefile", "rakelib/x.rake", "lib/a.rb"],
    open: ["notes.txt"],
  },
  "uv, poetry and others run the project's own package": {
    server: { command: "uv", args: ["run", "my-server"] },
    files: { "src/pkg/server.py": "" },
    closed: ["src/pkg/server.py", "src/pkg/__init__.py", "pyproject.toml"],
    open: ["src/pkg/data.json"],
  },
  "Compose merges its overrides": {
    server: { command: "docker", args: ["compose", "run", "server"] },
    files: { "compose.yaml": "" },
    closed: ["compose.override.yaml", "compose.override.yml", "docker-compose.override.yml"],
    open: ["other.yaml"],
  },
};

for (const [name, { server, files, closed, open }] of Object.entries(CASES)) {
  Deno.test(`no program changes what a server loads: ${name}`, () =>
    withProject({
      config: { servers: { mine: server } },
      files,
      prepare: ({ project }) =>
        Deno.mkdir(join(project, String(server.cwd ?? "")), { recursive: true }),
    }, async ({ call, refused }) => {
      for (const path of closed) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      for (const path of open) await call("file.write", { path, text: "x" });
    }));
}
