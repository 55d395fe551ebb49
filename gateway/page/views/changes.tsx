/** Tools of a server that are not what they were when they were first seen. */

import { createTwoFilesPatch } from "diff";
import type { JsonValue } from "#base";
import { excerpt } from "#runtime";
import type { PinChange } from "#packs";
import type { JSX } from "hono/jsx/jsx-runtime";
import { brief, Panel, State, visible } from "./parts.tsx";
import { packPath } from "./paths.ts";

/** Changes and characters of each that are shown. */
const MOST_CHANGES = 50;
const MOST = 20_000;
const MOST_LINES = 200;

export interface ChangesProps {
  readonly server: string;
  readonly changes: readonly PinChange[];
  /** Digest of the changes: a yes is for these alone. */
  readonly seen: string;
}

/** Changes with their differences, and buttons that accept them. */
export function Changes({ server, changes, seen }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  const all = <Accept server={server} seen={seen} label="Accept all" />;
  return (
    <Panel title="Changed tools" class="changes" aside={all}>
      <p class="soft">
        These tools are not what they were when they were first seen. Read what is different before
        you accept it.
      </p>
      {changes.slice(0, MOST_CHANGES).map((change) => (
        <section class="change">
          <header>
            <h3>
              <State kind="warn">{change.change}</State>{" "}
              <span class="mono">{brief(change.tool, 200)}</span>
            </h3>
            <Accept
              {...{ server, seen }}
              tool={change.tool.slice(server.length + 1)}
              label="Accept"
            />
          </header>
          <Difference change={change} />
        </section>
      ))}
    </Panel>
  );
}

function Accept(
  { server, seen, tool, label }: Pick<ChangesProps, "server" | "seen"> & {
    readonly tool?: string;
    readonly label: string;
  },
): JSX.Element {
  return (
    <form method="post" action={`/page${packPath(server)}/accept`}>
      <input type="hidden" name="seen" value={seen} />
      {tool !== undefined && <input type="hidden" name="tool" value={tool} />}
      <button type="submit">
        {label}
        {tool !== undefined && <span class="unseen">{` ${brief(tool, 100)}`}</span>}
      </button>
    </form>
  );
}

function Difference({ change }: { readonly change: PinChange }): JSX.Element {
  const patch = createTwoFilesPatch("", "", textOf(change.old), textOf(change.new), "", "", {
    context: 2,
  });
  const lines = patch.split("\n").slice(4).filter((line) => line !== "" && !line.startsWith("\\"));
  return (
    <pre class="code diff" tabindex={0} role="group" aria-label="Difference">
      {lines.slice(0, MOST_LINES).map((line) => (
        <code class={classOf(line)}>{`${visible(line)}\n`}</code>
      ))}
      {lines.length > MOST_LINES && <code>…</code>}
    </pre>
  );
}

function classOf(line: string): string | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@") ? "place" : undefined;
}

function textOf(value: JsonValue): string {
  return value === null ? "" : `${excerpt(value, MOST).text}\n`;
}
