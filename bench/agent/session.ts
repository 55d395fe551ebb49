/** A connection of the model to Toolscript, which writes down what goes over it. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isObject } from "#base";
import { commandOf, type Exchange, type Place } from "./place.ts";

export interface Session extends AsyncDisposable {
  /** Instructions and tools as the model gets them. */
  readonly greeting: string;
  /** Sends one command; returns the text that the model reads. */
  run(command: string): Promise<string>;
}

export async function openSession(place: Place, main: string): Promise<Session> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport(commandOf(place, main, "mcp")));
  const { tools } = await client.listTools();
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return {
    greeting: `${client.getInstructions()}\n\nTools: ${JSON.stringify(definitions, null, 1)}`,
    async run(command) {
      const result = await client.callTool({ name: "run", arguments: { command } });
      const blocks: unknown[] = Array.isArray(result.content) ? result.content : [];
      const text = blocks.map((block) => isObject(block) ? String(block.text ?? "") : "").join(
        "\n",
      );
      const exchange: Exchange = { command, text, failed: result.isError === true };
      await Deno.writeTextFile(place.transcriptFile, `${JSON.stringify(exchange)}\n`, {
        append: true,
      });
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
