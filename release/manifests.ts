/** Files that name the version; `deno.json` is the source of all of them. */
export const MANIFESTS: readonly string[] = [
  "deno.json",
  "server.json",
  "plugin/.claude-plugin/plugin.json",
  "plugin/.codex-plugin/plugin.json",
  "plugin/.cursor-plugin/plugin.json",
  "plugin/gemini-extension.json",
  ".claude-plugin/marketplace.json",
];

/** Text of a manifest with another version in place of its own. */
export function withVersion(
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  return text.replaceAll(`"version": "${from}"`, `"version": "${to}"`);
}
