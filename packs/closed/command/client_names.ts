/** Files of a project by which other clients, and Toolscript, start programs. */

export const CLIENT_FILES = (".mcp.json opencode.json opencode.jsonc crush.json .crush.json " +
  ".claude/settings.json .claude/settings.local.json .gemini/settings.json .zed/settings.json " +
  ".qwen/settings.json .iflow/settings.json .factory/settings.json .codex/config.toml " +
  ".cursor/mcp.json .vscode/mcp.json .roo/mcp.json .kilocode/mcp.json .amazonq/mcp.json " +
  ".junie/mcp/mcp.json .kiro/settings/mcp.json .factory/mcp.json .trae/mcp.json " +
  ".cursor/hooks.json .codex/hooks.json .windsurf/hooks.json .vscode/tasks.json " +
  ".vscode/settings.json .amp/settings.json .cursor/worktrees.json .devcontainer.json " +
  ".devcontainer/devcontainer.json .github/mcp.json .vs/mcp.json mcp.json .cline/mcp.json " +
  ".opencode/opencode.json .opencode/opencode.jsonc .aider.conf.yml gemini-extension.json").split(
    " ",
  );
/** Workspaces of VS Code, under any name. */
export const WORKSPACE = /\.code-workspace$/i;
/** Folders of which each file counts, also in folders below. */
export const CLIENT_FOLDERS =
  (".github/hooks .kiro/hooks .kiro/agents .amazonq/cli-agents .claude/agents " +
    ".cursor/agents .continue/mcpServers .claude/skills .claude/commands .github/agents " +
    ".gemini/commands .opencode/agent .opencode/agents .opencode/command .opencode/commands")
    .split(" ");
/** Marks of a folder that is a plugin, and the files by which it starts programs. */
export const PLUGIN = /^(?:\.claude-plugin|gemini-extension\.json)$/i;
export const PLUGIN_FILES =
  "hooks/hooks.json .lsp.json gemini-extension.json .claude-plugin/plugin.json .claude-plugin/marketplace.json"
    .split(" ");
/** Configurations of Toolscript, as a project has them. */
export const CONFIGURATIONS = [".onetool/onetool.yaml", ".onetool/config/onetool.yaml"];

/** First names of all these. */
export const CLIENT_MARKS: ReadonlySet<string> = new Set(
  [CLIENT_FILES, CLIENT_FOLDERS, CONFIGURATIONS, ".claude-plugin"].flat().map((path) =>
    path.split("/")[0] ?? path
  ),
);

/** Folders of the home folder in which programs keep their settings: of Linux, macOS and Windows. */
const SETTINGS = [".config", "Library/Application Support", "AppData/Roaming"];
/** Files in those of VS Code. */
const OF_CODE = ("mcp.json settings.json tasks.json " +
  "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json " +
  "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json " +
  "globalStorage/kilocode.kilo-code/settings/mcp_settings.json").split(" ");
/** Editors made of VS Code. */
const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Kiro", "Trae"];
const OF_SETTINGS = [
  ..."Claude/claude_desktop_config.json Zed/settings.json crush/crush.json".split(" "),
  ...EDITORS.flatMap((name) => OF_CODE.map((file) => `${name}/User/${file}`)),
];
/** Folders of VS Code's servers: on another machine, in a container or in WSL. */
const REMOTES = ".vscode-server .vscode-server-insiders .cursor-server .windsurf-server".split(" ");
const OF_REMOTE = ["User", "Machine"].flatMap((name) =>
  OF_CODE.map((file) => `data/${name}/${file}`)
);
/** Files of the home folder by which clients start programs, which may be scripts of a project. */
export const OWN_FILES: readonly string[] = [
  ...(".claude.json .claude/settings.json .claude/settings.local.json .cursor/mcp.json " +
    ".cursor/hooks.json .codex/config.toml .codex/hooks.json .gemini/settings.json " +
    ".gemini/antigravity/mcp_config.json .copilot/mcp-config.json .codeium/mcp_config.json " +
    ".codeium/windsurf/mcp_config.json .codeium/windsurf/hooks.json .config/opencode/opencode.json " +
    ".config/opencode/opencode.jsonc .config/zed/settings.json .config/amp/settings.json " +
    ".qwen/settings.json .iflow/settings.json .factory/settings.json .factory/mcp.json " +
    ".kiro/settings/mcp.json .aws/amazonq/mcp.json .junie/mcp/mcp.json .lmstudio/mcp.json " +
    ".cline/mcp.json .cline/data/settings/cline_mcp_settings.json .aider.conf.yml " +
    ".continue/config.yaml .continue/config.json .config/goose/config.yaml " +
    "AppData/Roaming/Block/goose/config/config.yaml").split(" "),
  ...SETTINGS.flatMap((folder) => OF_SETTINGS.map((file) => `${folder}/${file}`)),
  ...REMOTES.flatMap((folder) => OF_REMOTE.map((file) => `${folder}/${file}`)),
];
/** Folders of the home folder with a folder for each profile of an editor. */
export const PROFILES: readonly string[] = SETTINGS.flatMap((folder) =>
  EDITORS.map((name) => `${folder}/${name}/User/profiles`)
);
export const PROFILE_FILES = ["mcp.json", "settings.json", "tasks.json"];
/** Folders of the home folder of which each file counts. */
export const OWN_FOLDERS =
  ".claude/agents .claude/skills .kiro/agents .aws/amazonq/cli-agents .continue/mcpServers .copilot/agents"
    .split(" ");
