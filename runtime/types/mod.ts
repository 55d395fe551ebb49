/** Types for programs: from schemas to the module that `toolscript` resolves to. */

export { convertSchema } from "./convert.ts";
export { inlineType, literalText, nameText, propertyTypes } from "./inline.ts";
export type { Converted } from "./ir.ts";
export { createModuleGenerator, type ModuleGenerator } from "./module_generator.ts";
export { type Learned, resultFields, resultType } from "./result_type.ts";
