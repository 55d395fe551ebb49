/** Tools: a search over everything that has a name, and one tool with its help and a form. */

import type { JsonObject } from "#base";
import type { ToolEntry } from "#packs";
import { argumentText, callName, type Excerpt, type Question } from "#runtime";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SearchResult } from "../../search_route.ts";
import { ALL, type Field, inputName, textOf } from "../tool_form.ts";
import { brief, Code, Effect, Empty, Panel, State, visible } from "./parts.tsx";
import { packPath, toolPath } from "./paths.ts";

const ALONE = "This call has to be confirmed. It would be made with these arguments:";
const WITHIN =
  "Calls within this one have to be confirmed. It would be made from the start again, " +
  "with these:";

export interface SearchProps {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly entries: readonly ToolEntry[];
}

/** Page of a search. */
export function Search({ query, results, entries }: SearchProps): JSX.Element {
  return (
    <>
      <div class="title">
        <h1>Tools</h1>
        <p class="soft">{`${entries.length} tools can be called`}</p>
      </div>
      <SearchBox query={query} />
      <Panel title={query === "" ? "Find a tool" : "Matches"} class="flush">
        <Results query={query} results={results} entries={entries} />
      </Panel>
    </>
  );
}

function SearchBox({ query }: { readonly query: string }): JSX.Element {
  return (
    <form class="search" method="get" action="/tools" role="search">
      <label class="unseen" for="q">Search tools, servers, snippets and aliases</label>
      <input
        id="q"
        name="q"
        type="search"
        value={query}
        placeholder="Purpose or name of a tool"
        autocomplete="off"
        maxlength={400}
      />
      <button type="submit">Search</button>
    </form>
  );
}

function Results({ query, results, entries }: SearchProps): JSX.Element {
  if (query === "") {
    return (
      <Empty title="Say what the tool should do">
        Words for a purpose are enough, such as “read a file”. Servers list theirs on{" "}
        <a href="/servers">their own pages</a>.
      </Empty>
    );
  }
  if (results.length === 0) {
    return <Empty title="Nothing is like this">Try other words, or fewer of them.</Empty>;
  }
  const byName = new Map(entries.map((entry) => [callName(entry), entry]));
  return (
    <ul class="rows">
      {results.map(({ name, kind, description }) => {
        const entry = kind === "tool" ? byName.get(name) : undefined;
        const text = (
          <span class="grow">
            <b class="mono">{visible(name)}</b>
            <span class="soft">{brief(description, 240)}</span>
          </span>
        );
        const path = entry ? toolPath(entry) : kind === "pack" ? packPath(name) : undefined;
        return (
          <li>
            {path === undefined
              ? (
                <div class="row tall">
                  {text}
                  <span class="soft tag">{kind}</span>
                </div>
              )
              : (
                <a class="row tall" href={path}>
                  {text}
                  <span class="soft tag">{kind}</span>
                </a>
              )}
          </li>
        );
      })}
    </ul>
  );
}

/** A call that the form made. */
export type Outcome =
  | { readonly kind: "result"; readonly excerpt: Excerpt }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** Calls have to be confirmed by sending the form's again with this id. */
  | {
    readonly kind: "confirm";
    readonly id: string;
    readonly args: JsonObject;
    readonly calls: readonly Question[];
  };

export interface ToolProps {
  readonly entry: ToolEntry;
  readonly help: string;
  readonly fields: readonly Field[];
  /** Fields as they were sent. */
  readonly sent?: URLSearchParams;
  readonly outcome?: Outcome;
}

/** Page of one tool. */
export function Tool({ entry, help, fields, sent, outcome }: ToolProps): JSX.Element {
  const name = `${entry.pack}.${entry.tool}`;
  return (
    <>
      <div class="title">
        <p class="crumb">
          <a href="/tools">Tools</a>
          <a href={packPath(entry.pack)}>{visible(entry.pack)}</a>
        </p>
        <h1 class="mono">{visible(name)}</h1>
        <p>
          <Effect effect={entry.effect} />
        </p>
      </div>
      <div class="columns">
        <Panel title="Call">
          <form class="call" method="post" action={callPath(entry)}>
            {fields.length === 0 && <p class="soft">This tool takes no arguments.</p>}
            {fields.map((field, index) => <Input field={field} sent={sent} id={`f${index}`} />)}
            <p class="actions">
              <button class="primary" type="submit">Call it</button>
            </p>
          </form>
        </Panel>
        <div>
          {outcome && <OutcomePanel outcome={outcome} entry={entry} />}
          <Panel title="Help">
            <Code label="Help" text={help} />
          </Panel>
        </div>
      </div>
    </>
  );
}

function callPath({ wire }: ToolEntry): string {
  return `/page/tools/${encodeURIComponent(wire)}`;
}

interface InputProps {
  readonly field: Field;
  readonly sent: URLSearchParams | undefined;
  readonly id: string;
}

function Input({ field, sent, id }: InputProps): JSX.Element {
  const { name, isRequired, description } = field;
  const note = description === "" ? undefined : `${id}-note`;
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name === "" ? "arguments" : visible(name)}</span>
        <span class="soft">{hintOf(field, isRequired)}</span>
      </label>
      <Control field={field} sent={sent} id={id} note={note} />
      {note !== undefined && <p class="soft note" id={note}>{brief(description, 600)}</p>}
    </div>
  );
}

function hintOf({ type, fallback }: Field, isRequired: boolean): string {
  const kind = type.kind === "choice" ? "" : type.kind === "json" ? "JSON" : type.kind;
  const need = isRequired ? "required" : fallback === "" ? "" : `default ${brief(fallback, 40)}`;
  return [kind, need].filter((text) => text !== "").join(", ");
}

function Control(
  { field, sent, id, note }: InputProps & { readonly note: string | undefined },
): JSX.Element {
  const { type, isRequired } = field;
  const name = inputName(field);
  const value = sent?.get(name) ?? "";
  const same = { id, name, required: isRequired && type.kind !== "text", "aria-describedby": note };
  if (type.kind === "choice") {
    const texts = type.options.map(textOf);
    return (
      <select {...same}>
        {!isRequired && <option value=""></option>}
        {texts.map((text) => <option value={text} selected={text === value}>{brief(text)}</option>)}
      </select>
    );
  }
  if (type.kind === "number") {
    return <input {...same} type="number" step={type.step} value={value} autocomplete="off" />;
  }
  const rows = type.kind === "json" ? 3 : 1;
  return <textarea {...same} rows={rows} autocomplete="off">{`\n${value}`}</textarea>;
}

function OutcomePanel(
  { outcome, entry }: { readonly outcome: Outcome; readonly entry: ToolEntry },
): JSX.Element {
  switch (outcome.kind) {
    case "result": {
      const { text, isCut } = outcome.excerpt;
      return (
        <Panel title="Result" aside={<State kind="ok">Done</State>}>
          <Code label="Result" text={text} />
          {isCut && <p class="soft">The result is longer: this is its beginning.</p>}
        </Panel>
      );
    }
    case "failed":
      return (
        <Panel title="Result" aside={<State kind="bad">{brief(outcome.code, 40)}</State>}>
          <Code label="Error" text={outcome.message} />
        </Panel>
      );
    case "confirm":
      return (
        <Panel title="Result" aside={<State kind="waiting">To be confirmed</State>}>
          <p>{isWithin(outcome.calls, entry) ? WITHIN : ALONE}</p>
          {outcome.calls.map((call) => <Confirmed call={call} />)}
          <form class="actions" method="post" action={callPath(entry)}>
            <input type="hidden" name={ALL} value={JSON.stringify(outcome.args)} />
            <input type="hidden" name="confirm" value={outcome.id} />
            <button class="primary" type="submit">Confirm and call</button>
          </form>
        </Panel>
      );
    default:
      return outcome satisfies never;
  }
}

/** True where calls of other tools are to be confirmed, or several. */
function isWithin(calls: readonly Question[], { pack, tool }: ToolEntry): boolean {
  return calls.length !== 1 || calls[0]?.tool !== `${pack}.${tool}`;
}

function Confirmed({ call }: { readonly call: Question }): JSX.Element {
  const { tool, arguments: args, because } = call;
  return (
    <>
      <p class="mono">{brief(tool, 200)}</p>
      {because !== undefined && <p class="because">{brief(because, 500)}</p>}
      <Code label={`Arguments of ${brief(tool, 80)}`} text={argumentText(args)} />
    </>
  );
}
