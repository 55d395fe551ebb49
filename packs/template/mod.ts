/** Door of the templates. It is separate from `#packs` because workers load it alone. */

export { TemplateError } from "./error.ts";
export { isSafeText, renderSafely, type TemplateParts } from "./safe_template.ts";
