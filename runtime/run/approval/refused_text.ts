/** Last part of a look's reply: the calls that it refused. */

import { escapeUnseen } from "#base";
import type { RefusedCall } from "#packs";

const BEGIN = "Refused, since this was only a look: ";
const MOST_CALLS = 20;
const MOST_CHARACTERS = 1_000;

/** Writes refused calls with their arguments, on one line.
 *
 * @example
 * ```ts
 * import { refusedText } from "#runtime/refused";
 * const text = refusedText([{ tool: "shop.refund", arguments: { amount: 120 } }]);
 * console.assert(text === 'Refused, since this was only a look: shop.refund({"amount":120})');
 * ```
 */
export function refusedText(calls: readonly RefusedCall[], total = calls.length): string {
  const texts = calls.slice(0, MOST_CALLS).map(callText);
  const more = total - texts.length;
  if (texts.length === 0) return `${BEGIN}${more} whose arguments are too large to list`;
  return `${BEGIN}${texts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function callText({ tool, arguments: args }: RefusedCall): string {
  const json = JSON.stringify(args);
  const text = json.length > MOST_CHARACTERS ? `${json.slice(0, MOST_CHARACTERS)}…` : json;
  return escapeUnseen(`${tool}(${text})`);
}
