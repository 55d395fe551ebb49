/** First page: what waits for a person, what runs, and what needs one. */

import type { Registry } from "#packs";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Empty, Panel } from "./parts.tsx";
import { needsPerson, PackRows } from "./servers.tsx";

export interface HomeProps {
  readonly registry: Registry;
}

/** Page of the present. */
export function Home({ registry }: HomeProps): JSX.Element {
  const packs = registry.packs().filter(needsPerson);
  return (
    <>
      <h1 class="unseen">Now</h1>
      <Panel title="Servers that need something" live="needs" class="flush">
        {packs.length > 0
          ? <PackRows packs={packs} />
          : <Empty title="All servers are well">Nothing has to be done for them.</Empty>}
      </Panel>
    </>
  );
}
