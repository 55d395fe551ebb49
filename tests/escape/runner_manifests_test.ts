/** A program writes what a runner behind a hook or a task of another client looks up. */

import { type ProjectStage, withProject } from "../support/project.ts";

/** A server of the home folder. */
const HOME = "servers:\n  home: { command: npx, args: [-y, some-server] }\n";

/** Commands of hooks, with the manifests that decide what they run; behind `|` what stays open. */
const HOOKS: Readonly<Record<string, string>> = {
  "make -s lint": "Makefile GNUmakefile makefile | CMakeLists.txt package.json",
  "make -C tools lint": "tools/GNUmakefile tools/Makefile | other/Makefile",
  "cd tools && make lint": "tools/GNUmakefile Makefile | other/Makefile",
  "cd tools/deep && just fmt": "tools/deep/justfile tools/.justfile tools/JUSTFILE justfile",
  "task fmt": "Taskfile.yml Taskfile.yaml Taskfile.dist.yml taskfile.yml | package.json",
  "rake fmt": "Rakefile rakefile rakefile.rb Rakefile.rb rakelib/a.rake | lib/a.rb",
  "docker compose run --rm fmt":
    "compose.yaml compose.yml docker-compose.yml docker-compose.override.yml | Dockerfile",
  "docker run --rm image fmt": ".mcp.json | Dockerfile compose.yaml",
  "docker build -t a .": "Dockerfile | compose.yaml",
  "uv run fmt": "pyproject.toml uv.toml setup.py | src/a.py tasks.py",
  "uvx ruff format": ".mcp.json | pyproject.toml src/a.py",
  "poetry run fmt": "pyproject.toml | src/a.py",
  "deno task fmt": "package.json deno.json deno.jsonc | src/a.ts",
  "deno fmt": ".mcp.json | package.json deno.json src/a.ts",
  "cd tools && deno task --quiet fmt": "tools/package.json tools/deno.json",
  "invoke fmt": "tasks.py tasks/__init__.py invoke.yaml | src/a.py",
  "./gradlew fmt": "build.gradle build.gradle.kts settings.gradle gradlew gradle/wrapper/a.jar",
  "mvn -q verify": "pom.xml | src/a.java",
  "nox -s fmt": "noxfile.py",
  "mise run fmt": "mise.toml mise.local.toml mise-tasks/fmt",
  "node --run lint": "package.json | src/a.js",
  "node tools/check.js": "tools/check.js | package.json",
  "timeout 9 npm run lint": "package.json | turbo.json nx.json src/a.js",
  "npm --prefix tools run lint": "tools/package.json | other/package.json",
  "bundle exec rubocop": "Gemfile | src/a.rb",
  "cargo test": "Cargo.toml build.rs | src/main.rs",
  "cargo fmt": "rust-toolchain.toml | Cargo.toml src/main.rs",
  "npx prettier --write src": "package.json src/package.json | tsconfig.json src/a.js",
  "pip install -e '.[dev]'": "setup.py pyproject.toml",
  "pip install some-package": ".mcp.json | setup.py pyproject.toml",
};

async function check(names: string, { call, refused }: ProjectStage): Promise<void> {
  const [closed = "", open = ""] = names.split("|").map((list) => list.trim());
  for (const path of closed.split(" ")) {
    await refused("file.write", { path, text: "x", overwrite: true });
  }
  for (const path of open.split(" ").filter(Boolean)) {
    await call("file.write", { path, text: "x", overwrite: true });
  }
}

for (const [command, names] of Object.entries(HOOKS)) {
  const hooks = { PostToolUse: [{ hooks: [{ type: "command", command }] }] };
  Deno.test(`no program writes a manifest of a hook's runner: ${command}`, () =>
    withProject({
      files: {
        "~/.onetool/onetool.yaml": HOME,
        ".claude/settings.json": JSON.stringify({ hooks }),
        "tools/deep/a.md": "",
      },
    }, (project) => check(names, project)));
}

const TASKS: Readonly<Record<string, string>> = {
  make: "tools/Makefile tools/GNUmakefile | Makefile tools/deno.json",
  just: "tools/justfile justfile .justfile | Makefile",
  npm: "tools/package.json package.json | Makefile other/package.json",
};

for (const [command, names] of Object.entries(TASKS)) {
  Deno.test(`no program writes a manifest of a task's runner: ${command}`, () => {
    const task = { type: "shell", command, args: ["watch"], options: { cwd: "tools" } };
    const tasks = [{ ...task, runOptions: { runOn: "folderOpen" } }];
    return withProject({
      files: {
        "~/.onetool/onetool.yaml": HOME,
        ".vscode/tasks.json": JSON.stringify({ tasks }),
        "tools/Makefile": "",
        "tools/deno.json": "{}",
      },
    }, (project) => check(names, project));
  });
}
