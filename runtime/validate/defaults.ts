/** Built-in lists: dangerous parts of the platform. */

import { createPolicy, type Policy, type PolicyLists, type PolicyOptions } from "#packs/policy";

/** Names that VAL-04 to VAL-08, VAL-31 and VAL-33 list, then their equivalents in TypeScript. */
export const DEFAULT_LISTS: PolicyLists = {
  blocked: [
    "exec",
    "eval",
    "compile",
    "__import__",
    "subprocess.*",
    "os.system",
    "os.popen",
    "os.spawn*",
    "os.exec*",
    "Function",
    "child_process",
    "child_process.*",
    "Deno.Command",
    "Deno.run",
    "Deno.dlopen",
    "process.binding",
    "process.dlopen",
  ],
  warned: [
    "subprocess",
    "os",
    "open",
    "pickle.*",
    "Deno.open*",
    "Deno.read*",
    "Deno.write*",
    "fs",
    "fs.*",
    "Worker",
  ],
};

/** Creates the policy of a configuration: its lists, added to the built-in ones. One policy serves
 * for code and for tool calls.
 *
 * @example
 * ```ts
 * import { createSecurityPolicy } from "#runtime";
 * const policy = createSecurityPolicy({ ask: ["github.delete_*"] });
 * console.assert(policy.decide("eval").level === "blocked");
 * ```
 */
export function createSecurityPolicy(
  lists: PolicyLists = {},
  options: Omit<PolicyOptions, "defaults"> = {},
): Policy {
  return createPolicy(lists, { ...options, defaults: DEFAULT_LISTS });
}
