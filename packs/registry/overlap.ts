/** Built-in packs beside servers that do the same. */

import type { Pack } from "../types.ts";

interface Job {
  /** Names of servers that do it. */
  readonly server: RegExp;
  /** Tools that such a server has; two of them are enough. */
  readonly tools: readonly string[];
}

const FEWEST_TOOLS = 2;

/** Work of each built-in pack that public servers do as well. */
const JOBS: Readonly<Record<string, Job>> = {
  file: {
    server: /^(.*[-_])?(file-?system|files?|fs)([-_].*)?$/i,
    tools: [
      "read_file",
      "read_text_file",
      "read_multiple_files",
      "write_file",
      "edit_file",
      "list_directory",
      "directory_tree",
      "create_directory",
      "move_file",
      "search_files",
      "get_file_info",
      "delete_file",
      "copy_file",
    ],
  },
  grep: { server: /^(.*[-_])?(rip-?grep|grep|rg)([-_].*)?$/i, tools: [] },
  git: {
    server: /^(.*[-_])?git([-_].*)?$/i,
    tools: ["git_status", "git_diff", "git_diff_unstaged", "git_log", "git_show", "git_commit"],
  },
  db: {
    server: /^(.*[-_])?(db|databases?|postgres(ql)?|pg|sqlite|mysql|mariadb|sql)([-_].*)?$/i,
    tools: [
      "query",
      "read_query",
      "write_query",
      "execute_sql",
      "execute_query",
      "run_query",
      "list_tables",
      "describe_table",
      "list_schemas",
      "create_table",
      "get_table_schema",
    ],
  },
  web: {
    server: /^(.*[-_])?(fetch|web-?fetch|http-?fetch)([-_].*)?$/i,
    tools: ["fetch", "fetch_url", "fetch_html", "fetch_markdown", "fetch_txt", "fetch_json"],
  },
  brave: {
    server: /^(.*[-_])?brave([-_].*)?$/i,
    tools: ["brave_web_search", "brave_local_search", "brave_news_search", "brave_image_search"],
  },
};

/** Finds a configured server that does the work of a built-in pack. */
export function overlappingServer(pack: Pack, packs: readonly Pack[]): Pack | undefined {
  const job = pack.yields && Object.hasOwn(JOBS, pack.name) ? JOBS[pack.name] : undefined;
  return job && packs.find((server) => {
    if (!server.source.startsWith("proxy:")) return false;
    const { state } = server.status();
    if (state === "disabled" || state === "untrusted") return false;
    return job.server.test(server.name) || hasTools(server, job.tools);
  });
}

/** Returns true for a pack that is left out of instructions and search now. */
export function standsBackNow(pack: Pack, packs: readonly Pack[]): boolean {
  if (!pack.standsBack) return false;
  const connected = packs.filter((server) => {
    const { state } = server.status();
    return state === "connected" || state === "idle";
  });
  return overlappingServer(pack, connected) !== undefined;
}

function hasTools(server: Pack, names: readonly string[]): boolean {
  let count = 0;
  for (const { name } of server.tools()) {
    if (names.includes(name.toLowerCase().replaceAll("-", "_"))) count++;
    if (count >= FEWEST_TOOLS) return true;
  }
  return false;
}
