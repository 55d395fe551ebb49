/** Reads a command: translates it, then reads the result like any program. */

import type { Policy } from "#packs";
import { authorPlace } from "../command/map.ts";
import type { NameTable } from "../command/names.ts";
import { type Expand, explain, translateCommand } from "../command/translate.ts";
import type { CommandFinding, CommandSource } from "../command/types.ts";
import type { Validation } from "../validate/types.ts";
import { validateCode } from "../validate/validate.ts";
import { checkedText } from "./checked_text.ts";
import { findLinks, type Links, resolveImport } from "../syntax/imports.ts";
import type { Place } from "../syntax/place.ts";
import { COMMAND_FILE } from "../syntax/paths.ts";
import { blockedImport, MAX_FINDINGS, refusedProgram } from "./refusals.ts";
import { findToolCalls } from "./tool_calls.ts";
import { usedServers } from "./servers.ts";
import type { ProgramFinding, ReaderAnswer } from "./types.ts";
import { wrapEntry } from "./wrap.ts";

export interface CommandKnowledge {
  readonly names: NameTable;
  readonly policy: Policy;
  readonly expand?: Expand;
}

/** Reads a command without running it; the result holds all findings. */
export function readCommand(command: string, knowledge: CommandKnowledge): ReaderAnswer {
  const source = translateCommand(command, knowledge.names, knowledge.expand);
  if (source.kind === "finding") return { kind: "finding", finding: finding(source) };
  const validation = validate(source, knowledge);
  const links = findLinks(source.module);
  const findings = refusedImports(source, links, knowledge.policy);
  if (source.unknown) findings.push(finding(source.unknown));
  return refusedProgram(findings, validation) ?? program(command, { source, links, validation });
}

interface Parts {
  readonly source: CommandSource;
  readonly links: Links;
  readonly validation: Validation;
}

function program(command: string, { source, links, validation }: Parts): ReaderAnswer {
  const { module, prelude, map, magic } = source;
  const before = prelude.imports + prelude.checked;
  const served = wrapEntry(module, { prelude, magic });
  const checked = before + checkedText(module);
  return {
    kind: "program",
    entry: COMMAND_FILE,
    modules: [{ path: COMMAND_FILE, text: command, checked, ...served }],
    servers: serversOf(source, links),
    validation,
    toolCalls: findToolCalls(module),
    command: { map, before: before.length, magic, explained: explain(source) },
  };
}

/** Servers of ambient names, and of those that the command imports itself. */
function serversOf({ module, servers }: CommandSource, links: Links): readonly string[] | null {
  const imported = usedServers(module, links);
  return servers && imported && [...new Set([...servers, ...imported])];
}

function validate(source: CommandSource, { names, policy }: CommandKnowledge): Validation {
  const packs = new Set(names.names.packs.flatMap(({ name, key }) => [name, key]));
  const validation = validateCode(source.module, { policy, packs });
  const findings = validation.findings.map((finding) => {
    const place = authorPlace(source.map, finding);
    return {
      ...finding,
      ...place,
      ...(finding.call ? { call: { ...finding.call, line: place.line } } : {}),
    };
  });
  return { ...validation, findings };
}

/** Findings for imports: a command has no files beside it, and may import `toolscript` only. */
function refusedImports(
  { map }: CommandSource,
  { links }: Links,
  policy: Policy,
): ProgramFinding[] {
  return links.flatMap(({ specifier, attributes, line, column }) => {
    const place = { file: COMMAND_FILE, ...authorPlace(map, { line, column }) };
    const target = attributes
      ? { kind: "blocked" as const }
      : resolveImport(specifier, COMMAND_FILE);
    if (target.kind === "blocked") return blockedImport(specifier, { place, policy });
    if (target.kind === "tools") return [];
    const message = `Cannot import ${JSON.stringify(specifier)}: a command has no files beside ` +
      "it: run a .ts file with exec";
    return { code: "type_error" as const, message, specifier, ...place };
  }).slice(0, MAX_FINDINGS);
}

function finding({ kind: _, ...rest }: CommandFinding & Place): ProgramFinding {
  return { ...rest, file: COMMAND_FILE };
}
