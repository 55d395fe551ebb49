/** Servers and other packs: a list of them, and one with its tools. */

import { callSignature, type Pack, type PinChange, type Registry, type ToolEntry } from "#packs";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SignInFacts } from "../deps.ts";
import { Changes } from "./changes.tsx";
import { packPath, toolPath } from "./paths.ts";
import { SignIn } from "./sign_in.tsx";
import { brief, Effect, Empty, Panel, State, type StateKind, visible } from "./parts.tsx";

const STATES = {
  connecting: ["running", "Connecting"],
  connected: ["ok", "Connected"],
  disconnected: ["bad", "Disconnected"],
  idle: ["idle", "Idle"],
  disabled: ["off", "Switched off"],
  "needs-auth": ["waiting", "Needs a sign-in"],
  untrusted: ["warn", "Not trusted"],
} as const satisfies Record<ReturnType<Pack["status"]>["state"], readonly [StateKind, string]>;

/** Tools of one server that are shown; a server may have thousands. */
const MOST_TOOLS = 500;

/** State of a pack, as a mark with its name. */
export function PackState({ pack }: { readonly pack: Pack }): JSX.Element {
  const { state, transport } = pack.status();
  if (state === "connected" && transport === "local") return <State kind="ok">Ready</State>;
  const [kind, name] = STATES[state];
  return <State kind={kind}>{name}</State>;
}

/** Tells whether a person has to do something before the pack can be used. */
export function needsPerson(pack: Pack): boolean {
  const { state } = pack.status();
  return state === "disconnected" || state === "needs-auth" || state === "untrusted" ||
    changedText(pack) !== undefined;
}

/** Text about tools that wait for a person's review; undefined where none changed. */
function changedText(pack: Pack): string | undefined {
  const count = pack.changed?.() ?? 0;
  return count === 0 ? undefined : `${count} ${count === 1 ? "tool has" : "tools have"} changed`;
}

/** State of a pack in its row: what a person has to do, before all else. */
function RowState({ pack }: { readonly pack: Pack }): JSX.Element {
  const { state } = pack.status();
  const isWell = state === "connected" || state === "idle";
  if (!isWell || changedText(pack) === undefined) return <PackState pack={pack} />;
  return <State kind="warn">Changed</State>;
}

/** Packs in rows, each a link to its own page. */
export function PackRows({ packs }: { readonly packs: readonly Pack[] }): JSX.Element {
  return (
    <ul class="rows packs">
      {packs.map((pack) => {
        const { transport, error } = pack.status();
        const tools = pack.tools().length;
        return (
          <li>
            <a class="row" href={packPath(pack.name)}>
              <RowState pack={pack} />
              <span class="grow">
                <b class="mono">{visible(pack.name)}</b>
                <span class="soft">
                  {brief(error ?? changedText(pack) ?? pack.description ?? "", 120)}
                </span>
              </span>
              <span class="soft tag">{transport}</span>
              <span class="number">{`${tools} ${tools === 1 ? "tool" : "tools"}`}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Page of all servers and packs. */
export function Servers({ registry }: { readonly registry: Registry }): JSX.Element {
  const packs = registry.packs();
  const servers = packs.filter(isServer);
  const others = packs.filter((pack) => !isServer(pack));
  return (
    <>
      <div class="title">
        <h1>Servers</h1>
        <p class="soft">MCP servers behind this gateway, and packs of tools beside them</p>
      </div>
      <Panel title="MCP servers" live="servers" class="flush">
        {servers.length > 0
          ? <PackRows packs={servers} />
          : (
            <Empty title="No MCP server is configured">
              Name servers in{" "}
              <code>.onetool/onetool.yaml</code>, or take over those of other clients with{" "}
              <code>toolscript init</code>.
            </Empty>
          )}
      </Panel>
      <Panel title="Packs" live="packs" class="flush">
        <PackRows packs={others} />
      </Panel>
    </>
  );
}

function isServer({ source }: Pack): boolean {
  return source.startsWith("proxy:");
}

export interface ServerProps {
  readonly pack: Pack;
  readonly entries: readonly ToolEntry[];
  readonly changes: readonly PinChange[];
  /** Digest of the changes. */
  readonly seen: string;
  /** Missing for a server that has no sign-in. */
  readonly signIn: SignInFacts | undefined;
  readonly now: number;
}

/** Page of one server or pack. */
export function Server(props: ServerProps): JSX.Element {
  const { pack, entries, changes, seen, signIn, now } = props;
  return (
    <>
      <div class="title">
        <p class="crumb">
          <a href="/servers">Servers</a>
        </p>
        <h1 class="mono">{visible(pack.name)}</h1>
        {pack.description && <p class="soft">{brief(pack.description, 400)}</p>}
      </div>
      <Facts pack={pack} signIn={signIn} now={now} tools={entries.length} />
      <Changes server={pack.name} changes={changes} seen={seen} />
      <Panel title="Tools" live="tools" class="flush">
        {entries.length > 0 ? <ToolRows entries={entries} /> : (
          <Empty title="No tools are known">
            They appear once the server has connected.
          </Empty>
        )}
      </Panel>
    </>
  );
}

interface FactsProps extends Pick<ServerProps, "pack" | "signIn" | "now"> {
  readonly tools: number;
}

function Facts({ pack, tools, signIn, now }: FactsProps): JSX.Element {
  return (
    <Panel title="State" live="state" aside={<Restart pack={pack} />}>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <PackState pack={pack} />
        </dd>
        <dt>Transport</dt>
        <dd>{pack.status().transport}</dd>
        <dt>Tools</dt>
        <dd>{String(tools)}</dd>
        {signIn && (
          <>
            <dt>Sign-in</dt>
            <dd>
              <SignIn pack={pack} signIn={signIn} now={now} />
            </dd>
          </>
        )}
        <dt>Last error</dt>
        <dd>
          <Problem pack={pack} />
        </dd>
      </dl>
    </Panel>
  );
}

function Restart({ pack }: { readonly pack: Pack }): JSX.Element | null {
  const { state } = pack.status();
  if (!pack.restart || state === "disabled" || state === "untrusted") return null;
  return (
    <form method="post" action={`/page${packPath(pack.name)}/restart`}>
      <button type="submit">Restart</button>
    </form>
  );
}

function Problem({ pack }: { readonly pack: Pack }): JSX.Element {
  const { state, error } = pack.status();
  const problem = pack.problem?.() ?? error;
  if (problem === null) return <span class="soft">None</span>;
  return (
    <>
      <span class="mono wrap">{visible(problem)}</span>
      {state === "untrusted" && (
        <span class="fix">
          Run <code>toolscript trust</code>
        </span>
      )}
    </>
  );
}

function ToolRows({ entries }: { readonly entries: readonly ToolEntry[] }): JSX.Element {
  const more = entries.length - MOST_TOOLS;
  return (
    <>
      <ul class="rows tools">
        {entries.slice(0, MOST_TOOLS).map((entry) => (
          <li>
            <a class="row tall" href={toolPath(entry)}>
              <span class="grow">
                <code class="signature">{brief(callSignature(entry), 400)}</code>
                <span class="soft">{brief(entry.spec.description, 240)}</span>
              </span>
              <Effect effect={entry.effect} />
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="more">
          {`${more} more: find them on the page of `}
          <a href="/tools">tools</a>
        </p>
      )}
    </>
  );
}
