/** A gateway for a test to kill: prints its address once a process is leased, and waits. */

import { createHost } from "./host.ts";

const host = createHost({ pool: 0 });
await host.sandbox.lease();
Deno.stdout.writeSync(new TextEncoder().encode(`${host.origin}\n`));
