/** A keeper of calls without a gateway. */

import { createPace } from "#base";
import { createCallKeeper } from "#runtime";

export const KEEPER = createCallKeeper({ pace: createPace() });
