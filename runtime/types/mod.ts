/** Types for programs: from schemas to the module that `toolscript` resolves to. */

export { createModuleGenerator, type ModuleGenerator } from "./module_generator.ts";
