/** Ways to treat a tool that has changed since it was first seen. */

/** `hold` refuses a tool that has changed, `warn` tells of it. */
export const PIN_MODES = ["off", "warn", "hold"] as const;
export type PinMode = (typeof PIN_MODES)[number];
