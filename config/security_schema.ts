/** Keys of `security` in `onetool.yaml`. */

import { EFFECTS } from "#packs/effect";
import { PIN_MODES } from "#packs/pin-modes";
import { type Level, LEVEL_NAMES } from "#packs/policy";
import {
  choice,
  flag,
  list,
  MOST_PATTERNS,
  pattern,
  patterns,
  type Rule,
  seconds,
  section,
  text,
} from "#packs/rules";

const LISTS = {
  blocked: patterns("Patterns that are refused, beside the built-in ones"),
  ask: patterns("Patterns that a person is asked about"),
  warned: patterns("Patterns that are warned about, beside the built-in ones"),
  allow: patterns("Patterns taken out of the built-in warnings"),
} satisfies Readonly<Record<Level | "allow", Rule>>;

const RULE = {
  ...section("One rule", {
    tool: pattern("Tools that it is about: a name or a glob, `shop.refund`"),
    effect: choice("Effect of the tools that it is about", [...EFFECTS]),
    when: text("When it holds, in CEL over `args`; always without it"),
    then: choice("Its consequence", [...LEVEL_NAMES, "allow"] as const),
    because: text("Reason, for whoever is asked or refused"),
  }),
  verbatim: true,
};

export const SECURITY = section("Limits on commands and tool calls", {
  enabled: flag("`false` switches the four lists off", {
    default: true,
    see: "security.md#what-must-be-confirmed",
  }),
  ...LISTS,
  rules: list("Rules about calls, by tool or effect and by arguments", RULE, {
    most: MOST_PATTERNS,
    see: "effects.md#rules",
  }),
  sanitize: choice("`external` marks replies with text from outside", ["off", "external"], {
    default: "off",
    see: "security.md#hostile-servers",
  }),
  pin: choice("Tools that changed since they were first seen: `warn` tells, `hold` refuses", [
    ...PIN_MODES,
  ], { default: "warn", see: "security.md#tools-that-change" }),
  approve: choice("`plan` asks once about all calls of a program, before it makes them", [
    "call",
    "plan",
  ], { default: "call", see: "security.md#one-question-for-a-program" }),
  page: flag("Questions are put to the page of a shared gateway, too", {
    default: true,
    see: "security.md#questions-on-the-page",
  }),
  ask_timeout: seconds("Seconds that a question waits; then the answer is no", { default: 120 }),
});
