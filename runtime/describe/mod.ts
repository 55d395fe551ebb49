/** Describes the tools of a TypeScript module by its types. */

import { createQueue } from "#base";
import type { DescribeModule } from "#packs";

export interface ModuleDescriberDeps {
  /** Path of the Deno executable, which prints its own types. */
  readonly deno: string;
}

/** Creates the function that describes modules, one after another. Its parts are loaded at the
 * first call, since most starts describe no module. */
export function createModuleDescriber({ deno }: ModuleDescriberDeps): DescribeModule {
  const queue = createQueue();
  return (source, { signal }) =>
    queue(async () => {
      signal.throwIfAborted();
      const { describeModule } = await import("./describe_module.ts");
      return await describeModule(source, { deno, signal });
    });
}
