/** Door of the rules of settings. */

export * from "./expand_path.ts";
export * from "./makers.ts";
export * from "./rule.ts";
