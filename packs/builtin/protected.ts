/** Places that no built-in tool reads or changes, whatever folders are allowed. */

/** Why a path may not be read, or undefined where it may. */
export function unreadable(path: string): string | undefined {
  if (!/\.onetool/i.test(path)) return undefined;
  const parts = partsOf(path);
  const state = parts.lastIndexOf(".onetool");
  if (state < 0) return undefined;
  if (/^secrets\.ya?ml$/.test(parts.at(-1) ?? "")) return "it holds secrets";
  if (parts[state + 1] === "run") return "it holds the gateways' tokens";
  return undefined;
}

/** Settings of agents and editors: hooks, servers and tasks that they start without asking. */
const CLIENTS = [".claude", ".codex", ".cursor", ".gemini", ".vscode"];

/** Why a path may not be changed, or undefined where it may. What lies in `.onetool` names programs
 * that the gateway starts, and what lies in `.git` names programs that git starts. */
export function unwritable(path: string): string | undefined {
  const parts = partsOf(path);
  if (parts.includes(".git")) return "it belongs to git";
  if (parts.includes(".onetool")) return "it belongs to Toolscript";
  const client = CLIENTS.find((name) => parts.includes(name));
  if (client !== undefined) return `${client} may name programs to start`;
  const configures = /^(?:onetool\.ya?ml|\.mcp\.json)$/.test(parts.at(-1) ?? "");
  return configures ? "it configures Toolscript" : undefined;
}

/** Lower case, because some file systems know none. */
function partsOf(path: string): string[] {
  return path.toLowerCase().split(/[\\/]/).map((part) => part.replace(/[. ]+$/, "") || part);
}
