/** Servers and packs of an untrusted project: their names, and the error of their calls. */

import type { Transport } from "../server_config.ts";
import { PackError } from "../errors.ts";
import { camelCase } from "./names.ts";
import type { Pack, PackStatus } from "../types.ts";
import { reservedNames } from "../worker/discover/discover.ts";

export interface UntrustedServer {
  readonly name: string;
  readonly transport: Transport;
}

/** Short fixed phrase of the state. */
export const UNTRUSTED = "not trusted";
const COMMAND = "toolscript trust";
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Makes packs for the servers whose names are free: they displace neither packs of the home folder nor
 * of Toolscript. */
export function untrustedServers(
  servers: readonly UntrustedServer[],
  others: readonly Pack[],
): readonly Pack[] {
  const used = new Set(
    [...others.map(({ name }) => name), ...reservedNames([]).keys()].map((name) => camelCase(name)),
  );
  return servers.filter(({ name }) => NAME.test(name) && !used.has(camelCase(name)))
    .map(createUntrustedServer);
}

/** Text of `problem()` for a pack of an untrusted project. */
export function untrustedProblem(): string {
  return `no person has trusted what this project starts: look at it, and say yes, with ` +
    `\`${COMMAND}\``;
}

/** Error of a call of a pack that is not trusted. */
export function untrustedError(pack: string, tool = pack): PackError {
  return new PackError("unavailable", `Cannot call "${tool}": ${untrustedProblem()}`, {
    tool,
    details: untrustedDetails(),
  });
}

export function untrustedDetails(): { readonly reason: string; readonly command: string } {
  return { reason: "untrusted", command: COMMAND };
}

function createUntrustedServer({ name, transport }: UntrustedServer): Pack {
  const status: PackStatus = { state: "untrusted", transport, error: UNTRUSTED };
  return {
    name,
    source: `proxy:${name}`,
    tools: () => [],
    status: () => status,
    problem: untrustedProblem,
    call: (tool) => Promise.reject(untrustedError(name, `${name}.${tool}`)),
    settle: () => Promise.resolve(),
    onChange: () => () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
