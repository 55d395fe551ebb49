/** Templates that can reach nothing; a door of its own, because workers that need no more load it. */

export { TemplateError } from "./error.ts";
export { isSafeText, renderSafely, type TemplateParts } from "./safe_template.ts";
