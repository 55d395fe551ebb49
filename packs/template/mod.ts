/** Templates that can reach nothing; a door of its own, because workers that need no more load it. */

export { isSafeText, renderSafely, TemplateError, type TemplateParts } from "./safe_template.ts";
