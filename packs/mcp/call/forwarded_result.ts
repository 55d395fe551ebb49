/** Result of a tool that an MCP client calls: it gets the whole of it, if the protocol allows it. */

import { createTurns, isObject, type JsonObject } from "#base";
import { PackError } from "../../errors.ts";
import type { CallResult } from "../../types.ts";

/** Fields of each kind of block, all of them texts. */
const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
]);

/** Returns the whole result, also an error. Throws `PackError("tool_error")` for one that is against the
 * protocol: a client may refuse that, or worse. */
export async function forwardedResult(result: unknown, tool: string): Promise<CallResult> {
  const flaw = await findFlaw(result);
  if (flaw === undefined) return { value: null, result: result as JsonObject };
  const message = `Cannot read the answer of "${tool}": ${flaw}: call it in a program`;
  throw new PackError("tool_error", message, { tool });
}

async function findFlaw(result: unknown): Promise<string | undefined> {
  if (!isObject(result)) return "it is not an object";
  if (result.resultType === "input_required") return undefined;
  const { content = [], isError = false, _meta = {} } = result;
  if (typeof isError !== "boolean") return "its isError is neither true nor false";
  if (!isObject(_meta)) return "its _meta is not an object";
  if (!Array.isArray(content)) return "its content is not a list";
  const turn = createTurns();
  for (const [at, block] of content.entries()) {
    if (!isBlock(block)) return `block ${at + 1} of its content is not as MCP has it`;
    await turn();
  }
  return undefined;
}

function isBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block.type === "resource") return isContents(block.resource);
  const fields = FIELDS.get(block.type);
  return fields !== undefined && fields.every((field) => typeof block[field] === "string");
}

/** True for the contents of a resource. */
function isContents(resource: unknown): boolean {
  if (!isObject(resource) || typeof resource.uri !== "string") return false;
  return typeof resource.text === "string" || typeof resource.blob === "string";
}
