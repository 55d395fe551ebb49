/** A socket for the PostgreSQL driver, whose host is looked up as all others are. */

import { type LookupFunction, Socket } from "node:net";
import type { NameAsker, NameLookup } from "#base";

/** Makes the socket. The driver connects it by `connect(port, host)`, or by the path of a socket. */
export function openSocket(
  { names, ...asker }: NameAsker & { readonly names: NameLookup },
): Socket {
  const lookup: LookupFunction = (name, { all }, done) => {
    names.addresses(name, asker).then(
      (addresses) => {
        if (all) done(null, [...addresses]);
        else done(null, addresses[0]?.address ?? "", addresses[0]?.family);
      },
      (error) => done(error, ""),
    );
  };
  return new class extends Socket {
    override connect(...args: unknown[]): this {
      const [port, host] = args;
      if (typeof host !== "string") return Reflect.apply(super.connect, this, args);
      return super.connect({ port: Number(port), host, lookup });
    }
  }();
}
