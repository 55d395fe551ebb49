/** Tools of a server that are not what they were when they were first seen. */

import { type JsonValue, visibleLine } from "#base";
import { differenceOf } from "#base/difference";
import { excerpt } from "#runtime";
import type { PinChange } from "#packs";
import type { JSX } from "hono/jsx/jsx-runtime";
import { brief, Panel, State } from "./parts.tsx";
import { packPath } from "./paths.ts";

/** Changes and characters of each that are shown. */
const MOST_CHANGES = 50;
const MOST = 50_000;
const MOST_LINES = 1_000;

export interface ChangesProps {
  readonly server: string;
  readonly changes: readonly PinChange[];
  /** Digest of the changes: a yes is for these alone. */
  readonly seen: string;
}

/** Changes with their differences, and buttons that accept them: only what can be seen whole is
 * accepted here. */
export function Changes({ server, changes, seen }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  const differences = changes.slice(0, MOST_CHANGES).map((change) => ({
    change,
    ...linesOf(change),
  }));
  const unseen = new Set([
    ...differences.filter(({ isWhole }) => !isWhole).map(({ change }) => change.tool),
    ...changes.slice(MOST_CHANGES).map(({ tool }) => tool),
  ]);
  const all = unseen.size === 0 && <Accept server={server} seen={seen} label="Accept all" />;
  return (
    <Panel title="Changed tools" class="changes" aside={all}>
      <p class="soft">
        These tools are not what they were when they were first seen. Read what is different before
        you accept it.
      </p>
      {unseen.size > 0 && (
        <p class="notice">
          Not everything that is different is shown here: see the rest with{" "}
          <code>toolscript pins --json</code>.
        </p>
      )}
      {differences.map(({ change, lines }) => (
        <section class="change">
          <header>
            <h3>
              <State kind="warn">{change.change}</State>{" "}
              <span class="mono">{brief(change.tool, 200)}</span>
            </h3>
            {!unseen.has(change.tool) && (
              <Accept
                server={server}
                seen={seen}
                tool={change.tool.slice(server.length + 1)}
                label="Accept"
              />
            )}
          </header>
          <Difference lines={lines} />
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

interface DifferenceLines {
  readonly lines: readonly string[];
  /** False where a part of the difference is left out. */
  readonly isWhole: boolean;
}

function linesOf({ old, new: now }: PinChange): DifferenceLines {
  const [before, after] = [old, now].map((value) => excerpt(value, MOST));
  const text = (part: typeof before, value: JsonValue) => value === null ? "" : `${part?.text}\n`;
  const lines = differenceOf(text(before, old), text(after, now));
  const isCut = before?.isCut === true || after?.isCut === true || lines.length > MOST_LINES;
  return { lines: lines.slice(0, MOST_LINES), isWhole: !isCut && lines.length > 0 };
}

function Difference({ lines }: Pick<DifferenceLines, "lines">): JSX.Element {
  return (
    <pre class="code diff" tabindex={0} role="group" aria-label="Difference">
      {lines.map((line) => <code class={classOf(line)}>{rowOf(line)}</code>)}
    </pre>
  );
}

function rowOf(line: string): string {
  return `${line.slice(0, 1)}${visibleLine(line.slice(1))}\n`;
}

function classOf(line: string): string | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@") ? "place" : undefined;
}
