/** Home and projects of clients that reach their gateways by the bridge of the npm package. */

import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { cli } from "../../support/cli.ts";
import { mcpCommand, newClient, stdioEnvironment, type TestClient, type Way } from "./clients.ts";

export interface Stage extends AsyncDisposable {
  readonly home: string;
  /** Adds a project with this configuration. */
  project(config: Record<string, unknown>): Promise<string>;
  /** Serves one client of the project, after which its first answers are known. */
  startOnce(project: string): Promise<void>;
  connect(client: TestClient["client"], project: string, way?: Way): Promise<Connected>;
}

export interface Connected extends TestClient {
  readonly pid: number;
}

export async function openStage(): Promise<Stage> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-bridge-" }));
  const home = join(root, "home");
  await Deno.mkdir(home);
  let count = 0;
  const stage: Stage = {
    home,
    async project(config) {
      const project = join(root, `project-${++count}`);
      await Deno.mkdir(join(project, ".onetool"), { recursive: true });
      const text = JSON.stringify({ gateway: { linger: 1 }, ...config });
      await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), text);
      return project;
    },
    async startOnce(project) {
      await using connection = await stage.connect(newClient("legacy"), project);
      await connection.client.callTool({ name: "run", arguments: { command: "1" } });
    },
    async connect(client, project, way = "node") {
      const transport = new StdioClientTransport({
        ...await mcpCommand(way),
        cwd: project,
        env: stdioEnvironment({ home }),
        stderr: "ignore",
      });
      await client.connect(transport);
      return {
        client,
        pid: transport.pid ?? 0,
        [Symbol.asyncDispose]: () => client.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await cli(["gateway", "stop", "--all"], { home, cwd: root });
      await Deno.remove(root, { recursive: true });
    },
  };
  return stage;
}
