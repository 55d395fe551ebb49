/** Tools of a TypeScript module, read off its types by the type checker. */

import type { DescribeModule } from "#packs";
import { createQueue } from "#sandbox";

export interface ModuleDescriberDeps {
  /** Path of the Deno executable, which prints its own types. */
  readonly deno: string;
}

/** Makes the function that describes modules, one after another. What it needs is loaded when the first
 * is described: most starts describe none. */
export function createModuleDescriber({ deno }: ModuleDescriberDeps): DescribeModule {
  const queue = createQueue();
  return (source, { signal }) =>
    queue(async () => {
      signal.throwIfAborted();
      const { describeModule } = await import("./describe_module.ts");
      return await describeModule(source, { deno, signal });
    });
}
