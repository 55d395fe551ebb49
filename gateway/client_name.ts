/** What a client of the HTTP API calls itself. */

/** How the command line names itself. */
export const CLI_AGENT = "toolscript-cli";
const MAX_NAME = 100;

/** The client's name: `cli` for the command line, else what its `User-Agent` says. */
export function clientOf(request: Request): string | undefined {
  const agent = request.headers.get("user-agent")?.trim() ?? "";
  if (agent === "") return undefined;
  return agent === CLI_AGENT ? "cli" : agent.slice(0, MAX_NAME);
}
