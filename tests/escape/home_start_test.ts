/** A repository leaves settings and modules where a server of the home folder would read them. */

import assert from "node:assert/strict";
import { eachStart, type Named } from "../support/starts.ts";

const NAMED: readonly (readonly [string, readonly string[]])[] = [
  ["python3", ["-m", "server"]],
  ["python3.12", ["-um", "server"]],
  ["pypy3", ["-c", "import server"]],
  ["node", ["-r", "tracer", "/srv/server.js"]],
  ["node", ["--import=tracer", "/srv/server.js"]],
  ["deno", ["run", "-A", "npm:server"]],
  ["deno", ["run", "-A", "https://example.com/server.ts"]],
  ["bun", ["run", "/srv/server.ts"]],
  ["tsx", ["/srv/server.ts"]],
  ["uvicorn", ["server:app"]],
  ["yarn", ["--cwd", "/srv", "run", "server"]],
  ["npm", ["--prefix=/srv", "run", "server"]],
  ["uv", ["run", "--with", "mcp", "mcp", "run", "/srv/server.py"]],
  ["uv", ["run", "--project", "/srv", "python", "-m", "server"]],
  ["env", ["A=1", "python3", "-m", "server"]],
  ["node", ["server.js"]],
  ["node", ["./server.js"]],
  ["node", ["--env-file", "/srv/env", "server.js"]],
  ["node", ["--env-file=.env", "/srv/server.js"]],
  ["node", ["--title", "/srv/name", "server.js"]],
  ["deno", ["run", "-A", "server.ts"]],
  ["deno", ["run", "-A", "--config", "./deno.json", "/srv/server.ts"]],
  ["python3", ["src/server.py"]],
  ["python3", ["-W", "ignore", "server.py"]],
  ["sh", ["-c", "node server.js"]],
  ["bash", ["-lc", "exec ./server"]],
  ["bash", ["server.sh"]],
  ["ruby", ["server.rb"]],
  ["java", ["-jar", "server.jar"]],
  ["java", ["-cp", "/srv", "Server"]],
  ["npm", ["start"]],
  ["make", ["serve"]],
  ["cargo", ["run"]],
  ["docker", ["compose", "run", "server"]],
  ["uv", ["run", "--project", "/srv", "server.py"]],
  ["uv", ["run", "--directory", "sub", "server.py"]],
  ["timeout", ["30", "node", "server.js"]],
  ["env", ["bin/server"]],
  ["Rscript", ["/srv/server.R"]],
  ["timeout", ["600", "npx", "-y", "pkg"]],
  ["op", ["run", "--", "npx", "-y", "pkg"]],
  ["sudo", ["-E", "uvx", "pkg"]],
  ["nohup", ["bunx", "pkg"]],
  ["xvfb-run", ["-a", "pipx", "run", "pkg"]],
  ["aws-vault", ["exec", "p", "--", "pnpm", "dlx", "pkg"]],
  ["supergateway", ["--stdio", "npx -y pkg"]],
  ["some-proxy", ["--", "python3", "-m", "server"]],
  ["chamber", ["exec", "p", "--", "uvx", "pkg"]],
  ["dotenvx", ["run", "--", "node", "/srv/server.js"]],
  ["doppler", ["run", "--", "/srv/server"]],
  ["node", ["/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", "pkg"]],
  ["node", ["/srv/node_modules/tsx/dist/cli.mjs", "/srv/server.ts"]],
  ["ts-node", ["/srv/server.ts"]],
  ["nodemon", ["/srv/server.js"]],
  ["java", ["/srv/Server.java"]],
  ["java", ["/srv/Server.java", "-jar", "/srv/server.jar"]],
  ["php", ["/srv/server.php"]],
  ["php8.3", ["/srv/server.php"]],
  ["groovy", ["/srv/server.groovy"]],
  ["elixir", ["/srv/server.exs"]],
  ["escript", ["/srv/server"]],
  ["lua5.4", ["/srv/server.lua"]],
  ["runghc", ["/srv/Server.hs"]],
  ["kotlin", ["/srv/server.main.kts"]],
  ["timeout", ["30", "php", "/srv/server.php"]],
];

/** Command lines that nobody can tell to look for nothing where they start. */
const UNKNOWN = [
  "conda run -n mcp --no-capture-output python3 -m server",
  "micromamba run -n mcp python3 -m server",
  "pyenv exec python -m server",
  "flock /srv/lock python3 -m server",
  "strace -o /dev/null python3 -mserver",
  "systemd-run --user --pipe python3 -m server",
  "flatpak run org.example.Server",
  "python3.13t -m server",
  "python3.12-dbg -m server",
  "pythonw -m server",
  "graalpy -m server",
  "ipython -m server",
  "luajit-2.1 /srv/server.lua",
  "pytest /srv/test_server.py",
  "node-dev /srv/server.js",
  "swc-node /srv/server.ts",
  "uv run --project /srv -m server",
  "uv run --project /srv --module server",
  "uv run --project /srv /srv/bin/fastmcp run -m server",
  "uv run python -m server --directory /srv",
  "uv run --directory /srv server.py",
  "fastmcp run -m server -- --config /srv/a.json",
  "uvicorn server:app --uds /srv/a.sock",
  "uvicorn server:app --app-dir ./src",
  "python3 -m uvicorn server:app --app-dir ./src",
  "granian --working-dir ./src server:app",
  "gunicorn --chdir=./src server:app",
  "python3 /srv/bin/fastmcp run -m server",
  "python3 /srv/bin/conda-script.py run python3 -m server",
  "bash /srv/with_secrets.sh python3 -m server",
  "bash /srv/with_secrets.sh ./server",
  "bash /srv/with_secrets.sh /usr/bin/python3 -mserver",
  "bash /srv/with_secrets.sh /usr/bin/php /srv/server.php",
  "node /srv/node_modules/gulp/bin/gulp.js",
  "node /srv/node_modules/eslint/bin/eslint.js --mcp",
  "node /srv/pnpm/bin/pnpm.cjs dlx pkg",
  "python3 /srv/lib/site-packages/flask/app.py",
  "perl -I /srv/lib server.pl",
  "deno task /srv/server.ts",
  "deno serve /srv/server.ts",
  "eslint --mcp",
  "make",
  "make -C .",
  "tsx .",
  "server --name npm -- data",
  "server serve bash",
  "timeout 600 /srv/server",
  "docker mcp gateway run",
  "docker buildx bake --file bake.hcl",
  "docker run -i --env-file ./env image",
  "podman run -i --env-file=env image",
].map((line): Named => {
  const [name = "", ...args] = line.split(" ");
  return [name, args];
});

/** Scripts of a person's own by their whole paths: settings of the folder count for each of them. */
const SCRIPTS: readonly Named[] = [
  ["python3", ["/srv/server.py"]],
  ["python3", ["/srv/server.py", "-m"]],
  ["python3.13t", ["/srv/server.py", "--port", "80", "--root=/srv/data"]],
  ["graalpy", ["/srv/server.py"]],
  ["bash", ["/srv/server.sh", "--verbose"]],
  ["node", ["/srv/server.js"]],
  ["deno", ["run", "/srv/server.ts"]],
  ["node", ["--no-warnings", "--max-old-space-size=512", "/srv/server.js", "--root=/data"]],
  ["deno", ["run", "-A", "--no-lock", "/srv/server.ts", "https://example.com/"]],
  ["bash", ["/srv/server.sh"]],
  ["python3.12", ["-u", "/srv/server.py"]],
  ["ruby", ["/srv/server.rb"]],
  ["perl", ["/srv/server.pl"]],
  ["java", ["-jar", "/srv/server.jar"]],
];

Deno.test("a server of the home folder starts where nothing of the project is found", async (t) => {
  await eachStart(t, [...NAMED, ...UNKNOWN, ...SCRIPTS], {
    isHomes: true,
    check({ cwd, args }, project, [, words]) {
      assert.ok(!`${cwd}/`.startsWith(`${project}/`), cwd);
      assert.deepEqual(args, words);
    },
  });
});

Deno.test("a server of the project starts in the project", async (t) => {
  await eachStart(t, NAMED, {
    check: (start, project, [, args]) => assert.deepEqual(start, { cwd: project, args }),
  });
});

Deno.test("a server of the home folder with cwd: . starts in the project", async (t) => {
  await eachStart(t, [...SCRIPTS, ["server", ["--root", "."]]], {
    isHomes: true,
    cwd: ".",
    check: (start, project, [, args]) => assert.deepEqual(start, { cwd: project, args }),
  });
});

Deno.test("a container of the home folder starts in the project", async (t) => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["docker", ["run", "-i", "--rm", "image"]],
    ["docker", ["run", "-i", "--env-file", "/srv/env", "-v", ".:/work", "image", "serve", "npm"]],
    ["podman", ["exec", "-i", "it", "server"]],
  ];
  await eachStart(t, cases, {
    isHomes: true,
    check: (start, project, [, args]) => assert.deepEqual(start, { cwd: project, args }),
  });
});

Deno.test("of a server of the home folder only data are paths of the project", async (t) => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["node", ["./server.js", "./data"], ["./server.js", "P/data"]],
    ["node", ["server.js", "--import", "./a.mjs"], ["server.js", "--import", "./a.mjs"]],
    ["node", ["-r", "./a.js", "./b.js", "."], ["-r", "./a.js", "./b.js", "P"]],
    ["python3", ["-m", "server", "--root=./data"], ["-m", "server", "--root=P/data"]],
    ["uv", ["run", "python", "./server.py", "."], ["run", "python", "./server.py", "P"]],
    ["sh", ["-c", "./server", "./data"], ["-c", "./server", "P/data"]],
    ["java", ["/srv/Server.java", "./data"], ["/srv/Server.java", "P/data"]],
    ["npm", ["--prefix", "./data", "start"], ["--prefix", "./data", "start"]],
    ["node", ["/srv/server.js", "./data"], ["/srv/server.js", "P/data"]],
    ["python3.13t", ["/srv/node_server.py", "./data"], ["/srv/node_server.py", "P/data"]],
    ["pythonw", ["./server.py", "./data"], ["./server.py", "P/data"]],
    ["pythonw", ["/srv/server.py", "."], ["/srv/server.py", "P"]],
    ["deno", ["run", "-A", "/srv/server.ts", "."], ["run", "-A", "/srv/server.ts", "P"]],
    ["deno", ["run", "--allow-read=.,data,/srv", "--allow-env=A", "/srv/server.ts"], [
      "run",
      "--allow-read=P,P/data,/srv",
      "--allow-env=A",
      "/srv/server.ts",
    ]],
    ["java", ["-jar", "/srv/server.jar", "--root=."], ["-jar", "/srv/server.jar", "--root=P"]],
    ["bash", ["/srv/server.sh", "--port", "80", "."], ["/srv/server.sh", "--port", "80", "P"]],
    ["bash", ["/srv/server.sh", "--root=.", "--all"], ["/srv/server.sh", "--root=P", "--all"]],
    ["bash", ["/srv/server.sh", "run", "."], ["/srv/server.sh", "run", "."]],
    ["bash", ["/srv/bin/tsx", "."], ["/srv/bin/tsx", "."]],
    ["bash", ["/srv/server.sh", "/usr/bin/tsx", "."], ["/srv/server.sh", "/usr/bin/tsx", "."]],
    ["uv", ["run", "--directory", "/srv", "a.py", "."], [
      "run",
      "--directory",
      "/srv",
      "a.py",
      "P",
    ]],
    ["server", ["--root", ".", "--depth=3"], ["--root", "P", "--depth=3"]],
    ["server", ["--root=.", "/data", "."], ["--root=P", "/data", "P"]],
    ["server", ["run", "."], ["run", "."]],
    ["server", [".", "./start"], [".", "./start"]],
    ["npx", ["./data", "."], ["./data", "P"]],
    ["npx", ["tsx", "./server.ts", "./data"], ["tsx", "./server.ts", "P/data"]],
    ["npx", ["tsx", "src/server.ts", "./data/in"], ["tsx", "src/server.ts", "P/data/in"]],
    ["uv", ["run", "--with", "mcp", "mcp", "run", "./server.py"], [
      "run",
      "--with",
      "mcp",
      "mcp",
      "run",
      "./server.py",
    ]],
    ["python3", ["-m", "debugpy", "--app=./server.py:app"], [
      "-m",
      "debugpy",
      "--app=./server.py:app",
    ]],
    ["node", ["/srv/node_modules/tsx/dist/cli.mjs", "./server.ts"], [
      "/srv/node_modules/tsx/dist/cli.mjs",
      "./server.ts",
    ]],
    ["npx", ["-p", "./data", "tool", "."], ["-p", "./data", "tool", "P"]],
    ["uvx", ["--from=./data", "tool"], ["--from=./data", "tool"]],
  ];
  await eachStart(t, cases, {
    isHomes: true,
    files: ["src/server.ts", "server.ts", "server.py"],
    check({ cwd, args }, project, [, , expected]) {
      assert.ok(!`${cwd}/`.startsWith(`${project}/`), cwd);
      assert.deepEqual(args, expected.map((word) => word.replace(/P(?=[,/]|$)/g, project)));
    },
  });
});
