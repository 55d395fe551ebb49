/** Tools of a TypeScript module, read off its types by the type checker. */

export { createModuleDescriber, type ModuleDescriberDeps } from "./describe_module.ts";
