/** A program changes what a server loads in a container, where folders of this machine are mounted. */

import { testCases } from "./server_cases.ts";

const FILES = {
  "srv/index.js": "",
  "srv/main.py": "",
  "srv/run.sh": "",
  "srv/start.txt": "",
  "data/a.js": "",
};

/** What commands load where a folder is mounted. */
const CLOSED: Readonly<Record<string, string>> = {
  "docker run -i --rm -v ./srv:/app node:22 node /app/index.js": "srv/index.js srv/lib/x.js",
  "docker run -v ./srv:/app:ro --env=TOKEN node:22 node /app/built/a.js": "srv/built/a.js srv/x.js",
  "docker run --volume=./srv:/app/ python:3 python /app/main.py": "srv/main.py srv/lib.py",
  "podman run -itv ./srv:/app node /app/index.js": "srv/index.js srv/x.js",
  "docker run --mount type=bind,source=./srv,target=/app ruby:3 ruby /app/x.rb":
    "srv/x.rb srv/y.rb",
  "docker run --mount=type=bind,src=./srv,dst=/app node:22 node /app/index.js": "srv/x.js",
  "docker run -v ./srv:/app bash:5 bash /app/start.txt": "srv/start.txt",
  "docker run -v ./srv/index.js:/app/index.js node:22 node /app/index.js": "srv/index.js",
  "docker run -v .:/app node:22 node /app/srv/index.js": "srv/index.js srv/x.js lib/x.js",
  "docker run -v ./srv:/app -w /app node:22 npm start": "srv/index.js srv/package.json srv/run.sh",
  "docker run -v ./srv:/app --workdir=/app python:3 python -m main": "srv/main.py srv/json.py",
  "docker run -w /app/srv -v .:/app rust cargo run": "srv/src/main.rs srv/Cargo.toml",
  "docker run -v .:/work -w /work golang go run ./cmd/server": "cmd/server/main.go go.mod x.go",
  "docker run -v ./srv:/app golang go run /app": "srv/main.go srv/go.mod",
  "docker run -v ./srv:/app gcr.io/distroless/nodejs22 /app/index.js": "srv/index.js srv/x.js",
  "docker run -v ./srv:/app --entrypoint /app/run.sh alpine": "srv/run.sh srv/x.sh",
  "docker run -v ./srv:/app -w /app alpine ./run.sh": "srv/run.sh srv/x.sh",
  "docker run -v ./srv:/app alpine sh -c cd▁/app▁&&▁node▁index.js": "srv/index.js srv/x.js",
  "docker run -v ./srv:/app -e PYTHONPATH=/app python:3 python -m main": "srv/main.py",
  "sh -c docker▁run▁-v▁$PWD/srv:/app▁node:22▁node▁/app/index.js": "srv/index.js srv/x.js",
  "sh -c cd▁srv▁&&▁docker▁run▁-v▁.:/app▁node:22▁node▁/app/index.js": "srv/index.js srv/x.js",
  "npx -y tool -- docker run -v ./srv:/app node:22 node /app/index.js": "srv/index.js srv/x.js",
  "sudo nerdctl run -v ./srv:/app node:22 node /app/index.js": "srv/index.js srv/x.js",
  "apptainer exec --bind srv:/app image.sif node /app/index.js": "srv/index.js srv/x.js",
  "bwrap --ro-bind / / --bind srv /app node /app/index.js": "srv/index.js srv/x.js",
};

/** Commands for which what is mounted is data. */
const DATA = [
  "docker run -i --rm -v ./data:/data mcp/filesystem /data",
  "docker run -v ./data:/data node serve",
  "docker run -v ./data:/data:ro -e DATA_DIR=/data python:3 python -m http.server",
  "docker run --mount type=bind,source=./data,target=/data mcp/sqlite --db-path /data/a.db",
  "docker run -v data:/data mcp/git --repository /data/a",
];

function serverOf(line: string) {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("▁", " "));
  return { command, args };
}

testCases({
  ...Object.fromEntries(
    Object.entries(CLOSED).map(([line, closed]) => [
      `mounted, ${line}`,
      { server: serverOf(line), files: FILES, closed: closed.split(" "), open: ["data/x.md"] },
    ]),
  ),
  ...Object.fromEntries(
    DATA.map((line) => [
      `mounted data, ${line}`,
      { server: serverOf(line), files: FILES, closed: [".mcp.json"], open: ["data/x.js", "a.db"] },
    ]),
  ),
});
