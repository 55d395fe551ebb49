/** A template that cannot be used, or not with these values. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}
