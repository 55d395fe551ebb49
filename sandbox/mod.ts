/** Door of the sandbox: one locked-down Deno process for one run. */

export type { Frame, Outcome } from "./outcome.ts";
export { randomName } from "./process/process.ts";
export { createSandbox } from "./sandbox.ts";
export { STAND_IN } from "./child/protocol.ts";
export * from "./types.ts";
