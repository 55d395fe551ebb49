/** What makes a text more than code to the parser of commands. The sanitiser takes the same away, so
 * that no tool's answer can pass for a command. */

/** How the prefix begins that commands had once, whatever follows. */
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
