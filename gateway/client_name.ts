/** Names of the clients of the HTTP API. */

/** `User-Agent` of the command line. */
export const CLI_AGENT = "toolscript-cli";
const CLI = "cli";
const MAX_NAME = 100;

/** Name of the client: `cli` for the command line alone, else its `User-Agent`. */
export function clientOf(request: Request): string | undefined {
  const agent = request.headers.get("user-agent")?.trim() ?? "";
  if (agent === CLI_AGENT) return CLI;
  return agent === "" || agent === CLI ? undefined : agent.slice(0, MAX_NAME);
}
