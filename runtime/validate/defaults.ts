/** The built-in lists: what the platform has that code should not use unnoticed. */

import { createPolicy, type Policy, type PolicyLists } from "#packs/policy";

/** CONFORMANCE, VAL: what the specification names, then the TypeScript equivalents. */
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

/** The policy of a configuration: its lists, added to the built-in ones. One policy serves for
 * code and for tool calls.
 *
 * @example
 * ```ts
 * import { createSecurityPolicy } from "#runtime";
 * const policy = createSecurityPolicy({ ask: ["github.delete_*"] });
 * console.assert(policy.decide("eval").level === "blocked");
 * ```
 */
export function createSecurityPolicy(lists: PolicyLists = {}): Policy {
  return createPolicy(lists, { defaults: DEFAULT_LISTS });
}
