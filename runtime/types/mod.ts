/** Types for programs: from schemas to the module that `toolscript` resolves to. */

export {
  createModuleGenerator,
  type KeepsResult,
  type ModuleGenerator,
} from "./module_generator.ts";
