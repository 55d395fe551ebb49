/** Plugin for opencode: the MCP server and the skill. */

import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../bin/toolscript", import.meta.url));
const SKILLS = fileURLToPath(new URL("../skills", import.meta.url));
/** opencode waits five seconds by default. */
const TIMEOUT_MS = 30_000;

/** Puts Toolscript into the configuration, where it does not name it itself. */
export function Toolscript() {
  return Promise.resolve({
    config(config) {
      const command = ["node", PROGRAM, "mcp"];
      const server = { type: "local", command, enabled: true, timeout: TIMEOUT_MS };
      config.mcp = { toolscript: server, ...config.mcp };
      const paths = config.skills?.paths ?? [];
      config.skills = { ...config.skills, paths: [...new Set([...paths, SKILLS])] };
      return Promise.resolve();
    },
  });
}
