/** One thing that a hostile program tries. In its text, `CANARY` is the path of a secret file without
 * its extension, `TARGET` a path to create, `OTHER` a foreign server, `PARENT` the gateway's pid. */

import type { Outcome } from "#sandbox";

export interface Attempt {
  readonly name: string;
  /** A function body, or modules by path with `main.js` as the entry. */
  readonly program: string | Record<string, string>;
  /** It may end well, because what it does is without power. */
  readonly harmless?: true;
  /** How it ends, where that is neither `thrown` nor `blocked`. */
  readonly ends?: Outcome["kind"];
}
