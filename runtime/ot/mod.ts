/** The `ot` pack: help, search, state and results for the agent. */

export { callName } from "./lookup/describe_tool.ts";
export { createFinder, type Finder } from "./lookup/find.ts";
export { createOtPack, OT } from "./ot_pack.ts";
export { createOtPlaces, type OtPlaces } from "./places.ts";
export { readResult } from "./result/result.ts";
export { wholeTool } from "./lookup/whole_tool.ts";
