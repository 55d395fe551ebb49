/** Snippets as functions in code: `snippets.wsq({ q1: "AI" })` runs what the snippet expands to. */

import { createLocalPack, type Pack, PackError } from "#packs";
import type { JsonObject } from "#sandbox";
import type { SnippetDefinition } from "./command/types.ts";
import type { CommandRequest, RunReply } from "./run/types.ts";

export interface SnippetPackDeps {
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  readonly run: (
    request: CommandRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<RunReply>;
  readonly cwd: string;
}

/** Makes the pack `snippets`: one tool for each snippet, with its parameters. */
export function createSnippetPack({ snippets, run, cwd }: SnippetPackDeps): Pack {
  const tools = Object.entries(snippets).map(([name, snippet]) => ({
    spec: {
      name,
      description: snippet.description ?? "",
      inputSchema: schemaOf(snippet),
    },
    async call(args: JsonObject, { signal = new AbortController().signal }) {
      // The template engine is loaded where a snippet is called.
      const { expandSnippet } = await import("./command/snippet.ts");
      const command = expandSnippet(snippet, { ...args });
      const reply = await run({ kind: "command", command, cwd }, { signal });
      if (reply.ok) return { value: reply.value ?? null };
      const message = `Cannot run the snippet "${name}": ${reply.error?.message ?? reply.text}`;
      throw new PackError("tool_error", message, { tool: `snippets.${name}` });
    },
  }));
  return createLocalPack("snippets", tools);
}

function schemaOf({ params }: SnippetDefinition): JsonObject {
  const properties = Object.entries(params).map(([name, param]) => {
    return [name, { ...param }] as const;
  });
  const required = Object.entries(params).filter(([, param]) => param.default === undefined)
    .map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}
