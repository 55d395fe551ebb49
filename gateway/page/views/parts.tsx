/** Parts that several pages share: states, times, texts, and places without content. */

import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { escapeLines } from "#base";

/** Kind of a state: its color and its shape. */
export type StateKind = "ok" | "running" | "waiting" | "warn" | "bad" | "idle" | "off";

/** A state in words, with a mark of its own shape. */
export function State(
  { kind, children }: { readonly kind: StateKind; readonly children?: Child },
): JSX.Element {
  return (
    <span class={`state ${kind}`}>
      <span class="name">{children}</span>
    </span>
  );
}

export interface PanelProps {
  readonly title: string;
  /** Makes the panel's content follow events; unique on its page. */
  readonly live?: string;
  readonly class?: string;
  /** Shown beside the title. */
  readonly aside?: Child;
  readonly children?: Child;
}

/** A titled part of a page. */
export function Panel(props: PanelProps): JSX.Element {
  const { title, live, aside, children } = props;
  const id = `p-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return (
    <section class={`panel ${props.class ?? ""}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      <div class="content" data-live={live}>{children}</div>
    </section>
  );
}

/** A place without content: why, and the way to fill it. */
export function Empty(
  { title, children }: { readonly title: string; readonly children?: Child },
): JSX.Element {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** Foreign text in lines, which may be long. Scrolls by itself, so it can have the focus. */
export function Code(
  { label, text }: { readonly label: string; readonly text: string },
): JSX.Element {
  return (
    <pre class="code" tabindex={0} role="group" aria-label={label}>
      <code>{visible(text)}</code>
    </pre>
  );
}

/** Lines of text in which characters without a form are written as their codes. */
export function visible(text: string): string {
  return escapeLines(text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").toWellFormed());
}

/** Text in one line and of bounded length. */
export function brief(text: string, most = 200): string {
  const line = visible(text.slice(0, 4 * most)).replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const CLOCK = new Intl.DateTimeFormat("en", { ...TIME, second: "2-digit" });
const DAY = new Intl.DateTimeFormat("en", { ...TIME, month: "short", day: "numeric" });

/** A point in time, as short as its distance to `now` allows. */
export function Time(
  { at, now }: { readonly at: number; readonly now: number },
): JSX.Element {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return (
    <time datetime={date.toISOString()} title={date.toString()}>
      {(isToday ? CLOCK : DAY).format(date)}
    </time>
  );
}

const EFFECTS: Readonly<Record<string, readonly [StateKind, string]>> = {
  read: ["ok", "Reads"],
  write: ["warn", "Writes"],
  destroy: ["bad", "Destroys"],
};

/** Effect of a tool, as a mark with its name. */
export function Effect({ effect }: { readonly effect: string }): JSX.Element {
  const [kind, name] = EFFECTS[effect] ?? ["warn", brief(effect, 20)];
  return <State kind={kind}>{name}</State>;
}
