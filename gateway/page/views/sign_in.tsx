/** Sign-in at a server: its state, and the buttons that begin and end it. */

import type { Pack } from "#packs";
import { receiverText } from "#packs/auth";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SignInFacts, SignInPrompt } from "../deps.ts";
import { brief, Panel, State, Time, visible } from "./parts.tsx";
import { packPath } from "./paths.ts";

const STATES = {
  signed_in: ["ok", "Signed in"],
  expired: ["warn", "Over"],
  needs_auth: ["waiting", "Needs a sign-in"],
  none: ["idle", "Not needed, as far as known"],
} as const;

export interface SignInProps {
  readonly pack: Pack;
  readonly signIn: SignInFacts;
  readonly now: number;
}

/** State of a sign-in, with its buttons. */
export function SignIn({ pack, signIn, now }: SignInProps): JSX.Element {
  const { state, expiresAt, scope } = signIn;
  const isWanted = state !== "none" || pack.status().state === "needs-auth";
  const [kind, name] = STATES[isWanted && state === "none" ? "needs_auth" : state];
  const action = `/page${packPath(pack.name)}`;
  return (
    <div class="actions">
      <State kind={kind}>{name}</State>
      {expiresAt !== null && (
        <span class="soft">
          until <Time at={expiresAt} now={now} />
        </span>
      )}
      {scope !== null && scope !== "" && <span class="soft mono">{brief(scope, 120)}</span>}
      {isWanted && (
        <form method="post" action={`${action}/sign-in`} target="_blank" rel="noopener">
          <button type="submit" class={state === "signed_in" ? undefined : "primary"}>
            {state === "signed_in" ? "Sign in again" : "Sign in"}
          </button>
        </form>
      )}
      {(state === "signed_in" || state === "expired") && (
        <form method="post" action={`${action}/sign-out`}>
          <button type="submit">Sign out</button>
        </form>
      )}
    </div>
  );
}

export interface OpenAddressProps extends SignInPrompt {
  readonly server: string;
}

/** Page of a sign-in of which a person has to know something: the code that is typed at its address,
 * that its issuer is another than before, and which host receives it. */
export function OpenAddress(props: OpenAddressProps): JSX.Element {
  const { server, url, code, otherIssuer } = props;
  const hosts = receiverText(props);
  return (
    <>
      <div class="title">
        <p class="crumb">
          <a href="/servers">Servers</a>
        </p>
        <h1>{`Sign in to ${brief(server, 100)}`}</h1>
      </div>
      <Panel title={titleOf(props)}>
        {otherIssuer !== undefined && (
          <p>{`The server names another issuer than before: ${brief(otherIssuer, 300)}`}</p>
        )}
        {hosts !== undefined && <p>{brief(hosts, 600)}</p>}
        {code !== undefined && <p class="big mono">{brief(code, 100)}</p>}
        <p>
          <a class="button primary" href={url} target="_blank" rel="noopener noreferrer">
            {`Open ${visible(new URL(url).host)}`}
          </a>
        </p>
      </Panel>
    </>
  );
}

function titleOf({ code, otherIssuer }: SignInPrompt): string {
  if (code !== undefined) return "Type this code";
  return otherIssuer === undefined ? "More than one host" : "Another issuer";
}
