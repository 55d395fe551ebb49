/** First page: what waits for a person, what runs, and what needs one. */

import type { Registry } from "#packs";
import type { RunSummary } from "#runtime";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Empty, Panel, State, visible } from "./parts.tsx";
import { Questions, type QuestionsProps } from "./questions.tsx";
import { NoRuns, RunRows } from "./runs.tsx";
import { needsPerson, PackRows } from "./servers.tsx";

export interface HomeProps extends QuestionsProps {
  readonly registry: Registry;
  readonly running: readonly RunSummary[];
  readonly last: readonly RunSummary[];
  /** Missing where nothing has to be trusted. */
  readonly trust: TrustProps | undefined;
}

/** Page of the present. */
export function Home(
  { registry, running, last, trust, ...about }: HomeProps,
): JSX.Element {
  const { questions, now } = about;
  const packs = registry.packs().filter(needsPerson);
  const waiting = new Set(questions.map(({ run }) => run));
  return (
    <>
      <h1 class="unseen">Now</h1>
      {trust && <Trust {...trust} />}
      <div class="home">
        <Questions {...about} />
        <Panel title="Running now" live="running" class="flush tall">
          {running.length > 0
            ? <RunRows runs={running} now={now} waiting={waiting} />
            : <Empty title="Nothing runs at the moment">Programs of agents appear here.</Empty>}
        </Panel>
        <Panel title="Servers that need something" live="needs" class="flush tall">
          {packs.length > 0
            ? <PackRows packs={packs} />
            : <Empty title="All servers are well">Nothing has to be done for them.</Empty>}
        </Panel>
        <Panel
          title="Last runs"
          live="last"
          class="flush last"
          aside={<a href="/runs">All runs</a>}
        >
          {last.length > 0 ? <RunRows runs={last} now={now} /> : <NoRuns />}
        </Panel>
      </div>
    </>
  );
}

export interface TrustProps {
  /** The list of what the project would start and read. */
  readonly text: string;
  readonly hash: string;
}

/** Place of the question on the first page. */
export function Trust({ text, hash }: TrustProps): JSX.Element {
  return (
    <Panel title="Trust what this project starts?" aside={<State kind="warn">Not trusted</State>}>
      <pre class="code rows" tabindex={0} role="group" aria-label="List">
        {text.split("\n").map((row) => <code>{`${visible(row)}\n`}</code>)}
      </pre>
      <form class="actions" method="post" action="/page/trust">
        <input type="hidden" name="hash" value={hash} />
        <button type="submit">Trust it</button>
        <span class="soft small">
          Until then nothing of the project is started. <code>toolscript trust --revoke</code>{" "}
          takes a yes back.
        </span>
      </form>
    </Panel>
  );
}
