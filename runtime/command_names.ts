/** The names that commands may use, from the registry and the configuration. */

import {
  camelCase,
  parameterNames,
  parameterSchema,
  type Registry,
  snakeCase,
  type ToolEntry,
} from "#packs";
import { type CommandNames, type CommandPack, type CommandTool, GATHERS } from "./command/types.ts";

/** Names that commands may use, beside the tools. */
export type Vocabulary = Pick<CommandNames, "aliases" | "snippets" | "projects">;

/** Lists every name as plain data. A pack that is still connecting has no tools. */
export function commandNames(registry: Registry, vocabulary: Vocabulary): CommandNames {
  const entries = Map.groupBy(registry.entries(), ({ pack }) => pack);
  const packs = registry.packs().map((pack): CommandPack => {
    const { name } = pack;
    const own = entries.get(name) ?? [];
    const key = own[0]?.packKey ?? camelCase(name, "pack");
    const isOff = pack.source === "local" && pack.status().state === "disabled";
    const problem = isOff ? pack.problem?.() ?? undefined : undefined;
    return {
      name,
      key,
      snake: own[0] ? own[0].packSnake : snakeCase(name),
      tools: own.map(commandTool),
      ...(problem ? { problem } : {}),
    };
  });
  return { packs, ...vocabulary };
}

function commandTool({ tool, toolKey, snakeKey, spec, effect }: ToolEntry): CommandTool {
  const params = parameterNames(spec.inputSchema);
  const gathers = parameterSchema(spec.inputSchema, params[0] ?? "")[GATHERS] === true;
  const reads = effect === "read";
  return {
    name: tool,
    key: toolKey,
    snake: snakeKey,
    params,
    ...(gathers ? { gathers } : {}),
    ...(reads ? { reads } : {}),
  };
}
