/** Triggers: texts that the parser of commands takes for more than code. The sanitizer disarms
 * the same texts, so that no result of a tool can pass for a command. */

/** Beginning of the old prefix of commands. */
export const LEGACY_PREFIX = "!\\s*onetool";

/** The sources of patterns, without anchors: the parser looks for the first three where a command
 * begins, for the last anywhere. */
export const TRIGGERS = {
  /** A run that opens a fence, or inline code. */
  fence: "(?:`+|~{3,})",
  /** `$name`: a snippet. */
  snippet: "\\$[\\p{ID_Start}_][\\p{ID_Continue}-]*",
  legacy: `${LEGACY_PREFIX}\\b`,
  /** Variables that change how the reply is made. */
  magic: "__(?:format|sanitize)__",
} as const;

export type Trigger = keyof typeof TRIGGERS;
