/** Files of a project by which other clients, and Toolscript, start programs. */

export const CLIENT_FILES = (".mcp.json opencode.json opencode.jsonc crush.json .crush.json " +
  ".claude/settings.json .claude/settings.local.json .gemini/settings.json .zed/settings.json " +
  ".qwen/settings.json .iflow/settings.json .factory/settings.json .codex/config.toml " +
  ".cursor/mcp.json .vscode/mcp.json .roo/mcp.json .kilocode/mcp.json .amazonq/mcp.json " +
  ".junie/mcp/mcp.json .kiro/settings/mcp.json .factory/mcp.json .trae/mcp.json " +
  ".cursor/hooks.json .codex/hooks.json .windsurf/hooks.json .vscode/tasks.json " +
  ".vscode/settings.json .amp/settings.json .cursor/worktrees.json .devcontainer.json " +
  ".devcontainer/devcontainer.json").split(" ");
/** Workspaces of VS Code, under any name. */
export const WORKSPACE = /\.code-workspace$/i;
/** Folders of which each file counts. */
export const CLIENT_FOLDERS =
  (".github/hooks .kiro/hooks .kiro/agents .amazonq/cli-agents .claude/agents " +
    ".cursor/agents .continue/mcpServers").split(" ");
/** Configurations of Toolscript, as a project has them. */
export const CONFIGURATIONS = [".onetool/onetool.yaml", ".onetool/config/onetool.yaml"];

/** First names of all these. */
export const CLIENT_MARKS: ReadonlySet<string> = new Set(
  [CLIENT_FILES, CLIENT_FOLDERS, CONFIGURATIONS].flat().map((path) => path.split("/")[0] ?? path),
);
