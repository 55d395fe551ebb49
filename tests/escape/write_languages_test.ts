/** A program changes a module that a server loads: by a name before its own, in another folder, in
 * another language. */

import { testCases } from "./server_cases.ts";

testCases({
  "a name that is looked up before the module's own": {
    server: { command: "node", args: ["srv/server.js"] },
    files: {
      "srv/server.js": 'require("./lib"); require("./addon"); require("./v1.data")',
      ...{ "srv/lib.js": "", "srv/v1.data.json": "{}" },
      ...{ "srv/addon.node": "", "srv/build/deep.node": "", "far/view.tsx": "" },
    },
    closed: [
      ...["srv/lib", "srv/v1.data", "srv/server", "srv/addon", "srv/build/deep", "far/view"],
    ],
    open: ["srv/other", "srv/notes.txt"],
  },
  "a name that is looked up before a module's folder": {
    server: { command: "node", args: ["srv/index.js"] },
    files: {
      "srv/index.js": 'require("./conf"); require("./pack"); require("./addon")',
      ...{ "srv/conf/index.js": "", "srv/pack/package.json": "{}", "srv/addon.node": "" },
      ...{ "srv/data/one.json": "{}", "srv/plain.js": "" },
    },
    closed: ["srv/conf.json", "srv/pack.json", "srv/addon.json", "srv/conf.node", "srv/plain"],
    open: ["srv/data.json", "srv/plain.json", "srv/other.json"],
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
      "bin/server.mjs": 'import "../src/one.mjs"; require(/* x */ ".."); require("../lib")',
      "src/one.mjs": 'import "dep"',
      "lib/index.js": "",
      "node_modules/dep/index.js": "",
    },
    closed: [
      ...["src/one.mjs", "src/one", "src/deep/two.ts", "far/four.js", "index.js", "lib/evil.cjs"],
      ...["lib/package.json", "src/node_modules/dep/index.js", "packages/a/package.json"],
    ],
    open: ["src/notes.txt", "far/data.json", "page.html"],
  },
  "maps of imports and settings that Deno's configuration names": {
    server: { command: "deno", args: ["run", "-A", "deep/bin/server.ts"] },
    files: {
      "deep/bin/server.ts": 'import "dep"',
      "deno.json": '{ "importMap": "maps.json", "imports": { "@/": "./src/" } }',
      "deep/deno.json": '{ "importMap": "./late.json" }',
      "tsconfig.json": '{ "extends": "./base.json" }',
      "base.json": '{ "extends": "./basis" }',
      "basis": "{}",
    },
    closed: ["maps.json", "deep/late.json", "base.json", "basis", "src/x.ts", "ws/mod.ts"],
    open: ["other.json", "deep/other.json"],
  },
  "maps of imports by other spellings": {
    server: { command: "deno", args: ["run", "-A", "deep/bin/server.ts"] },
    files: {
      "deep/bin/server.ts": 'import "dep"',
      "deno.json": String.raw`{ "importMap": "conf\/map.json" }`,
      "deno.jsonc": "{ // a comment\n 'importMap': 'conf/it\\'s \"one\".json', }",
      "deep/deno.json": '{ "importMap": "../conf/my%20(own) m%61p.json?v=1#x" }',
      "deep/deno.jsonc": '{ "importMap": "../conf/my [own], map.json" }',
      "tsconfig.json": String.raw`{ "extends": [".\/conf/my base", "conf/caf\u00e9.json"] }`,
      "conf/my base": "{}",
    },
    closed: [
      ...["conf/map.json", 'conf/it\'s "one".json', "conf/my (own) map.json"],
      ...["conf/my [own], map.json", "conf/my base", "conf/café.json"],
    ],
    open: ["conf/other.json", "deep/other.json"],
  },
  "tasks of Deno that no server runs": {
    server: { command: "deno", args: ["run", "-A", "npm:some-server"] },
    files: { "deno.json": '{ "tasks": { "dev": "deno run main.ts" } }', "main.ts": "" },
    closed: ["deno.json"],
    open: ["src/x.ts", "other.ts"],
  },
  "a task of Deno": {
    server: { command: "deno", args: ["task", "serve"] },
    files: { "deno.json": '{ "tasks": { "serve": "deno run tools/serve.ts" } }' },
    closed: ["src/x.txt", "deno.json", "tools/serve.ts", "src/x.ts"],
    open: ["notes.md"],
  },
  "a package manager starts a script of a workspace": {
    server: { command: "npm", args: ["-s", "start", "-w", "a"] },
    files: {
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/a/package.json": "{}",
    },
    closed: ["packages/a/notes.txt", "packages/a/package.json", "packages/a/s.js", "package.json"],
    open: ["notes.md"],
  },
  "a Makefile includes others": {
    server: { command: "make", args: ["-s", "serve"] },
    files: { "Makefile": "include rules\n-include late.mk sub/more.mk\n", "rules": "" },
    closed: ["notes.txt", "rules", "late.mk", "sub/more.mk", "Makefile", "other"],
    open: ["other.md"],
  },
  "Ruby requires by relative paths": {
    server: { command: "ruby", args: ["bin/server"] },
    files: { "bin/server": 'require_relative "../lib/a"', "lib/a.rb": "" },
    closed: ["lib/a.rb", "bin/server"],
    open: ["lib/a.txt", "src/x.ts"],
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
    closed: ["srv/notes.txt", "go.txt", ...[
      "srv/evil.go",
      "srv/go.mod",
      "srv/vendor/x/y.go",
      "srv/asm_amd64.s",
      "srv/go.work",
    ], ...["internal/who/who.go", "go.mod", "srv/x.sx", "srv/x.syso", "srv/x.swigcxx"]],
    open: ["other/main.csv"],
  },
  "Go compiles packages beside the one that is named": {
    server: { command: "sh", args: ["-c", "exec go run ./cmd/server"] },
    files: { "cmd/server/main.go": "package main" },
    closed: ["notes.txt", "cmd/server/evil.go", "internal/a.go", "go.work", "vendor/modules.go"],
    open: ["notes.md"],
  },
  "Cargo, .NET, Maven and Gradle compile theirs": {
    server: {
      command: "sh",
      args: ["-c", "cargo run || dotnet run || mvn exec:java || ./gradlew run"],
    },
    files: {},
    closed: [
      "notes.txt",
      ...["src/tools.rs", "build.rs", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
      ...["Program.cs", "app.csproj", "Directory.Build.props", "global.json", "pom.xml"],
      ...["src/main/java/A.java", "build.gradle", "build.gradle.kts", "gradle.properties"],
    ],
    open: ["src/data.csv"],
  },
  "Rake loads its library": {
    server: { command: "rake", args: ["serve"] },
    files: { "Rakefile": "" },
    closed: ["notes.txt", "Rakefile", "rakelib/x.rake", "lib/a.rb"],
    open: ["notes.md"],
  },
  "uv, poetry and others run the project's own package": {
    server: { command: "uv", args: ["run", "my-server"] },
    files: { "src/pkg/server.py": "" },
    closed: ["src/pkg/server.py", "src/pkg/__init__.py", "pyproject.toml", "hatch.toml"],
    open: ["src/pkg/data.csv"],
  },
  "uv runs a script in another folder": {
    server: { command: "uv", args: ["run", "--directory", "tools", "server.py"] },
    files: { "tools/server.py": "" },
    closed: [
      "tools/notes.txt",
      "tools/server.py.lock",
      "tools/.python-versions",
      "tools/hatch_build.py",
    ],
    open: ["notes.md"],
  },
  "Java reads its arguments from a file": {
    server: { command: "java", args: ["@opts"] },
    files: { "opts": "--source 11 Main.java", "Main.java": "" },
    closed: ["notes.txt", "opts", "Main.java", "log4j2.xml"],
    open: ["notes.md"],
  },
  "cmake reads a list": {
    server: { command: "cmake", args: ["-P", "serve.cmake"] },
    files: { "serve.cmake": "", "CMakeLists.txt": "" },
    closed: ["notes.txt", "CMakeLists.txt", "sub/CMakeLists.txt", "serve.cmake", "presets.json"],
    open: ["notes.md"],
  },
  "Compose merges its overrides": {
    server: { command: "docker", args: ["compose", "run", "server"] },
    files: { "compose.yaml": "" },
    closed: ["compose.override.yaml", "compose.override.yml", "docker-compose.override.yml"].concat(
      "other.yaml",
    ),
    open: ["other.csv"],
  },
});
