/** A gateway with packs, snippets and aliases to look up. */

import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

export const INLINE = 2_000;

export async function openLookups(): Promise<TestGateway> {
  const gateway = await openGateway({
    servers: {
      everything: { ...pinnedCommand("everything"), exclude: ["trigger-*", "get-roots-list"] },
      gone: { command: "/nowhere/to/be/found" },
      off: { command: "/nowhere/to/be/found", enabled: false },
    },
    alias: { say: "everything.echo", sum: "everything.get_sum" },
    snippets: {
      research: {
        description: "Says what was found on a topic",
        params: { topic: { description: "What about" }, count: { default: 5 } },
        body: 'x = everything.echo(message="{{ topic }}")\nx + "{{ count }}"\n',
      },
    },
    prompts: { packs: { everything: "Only for trying things out." } },
    output: { max_inline_size: INLINE, preview_lines: 3 },
  });
  await gateway.ready();
  return gateway;
}
