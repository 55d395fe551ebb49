/** Parts that the page is built over. */

import type { Log } from "#base";
import type { Acceptance, PinChange, Registry } from "#packs";
import type { Confirmations, Finder, Inbox, Journal, Shapes, Statistics } from "#runtime";
import type { ResultSource } from "../mcp/results.ts";
import type { Frame } from "./views/layout.tsx";

/** Trust in the project of the gateway. */
export interface TrustKeeper {
  /** List of what the project would start, and its hash; undefined where nothing has to be trusted. */
  offer(): Promise<{ readonly text: string; readonly hash: string } | undefined>;
  /** Trusts the project if the hash is still right; true where it is trusted now. */
  grant(hash: string): Promise<boolean>;
}

/** Tools that are not what they were when they were first seen. */
export interface PinKeeper {
  changes(server: string): readonly PinChange[];
  /** Accepts the tools of a server, or one of them, if its changes are still those of `isSeen`.
   * Resolves with undefined if they are not, with an empty list if there is no such tool. */
  accept(
    server: string,
    options: Pick<Acceptance, "tool" | "isSeen">,
  ): Promise<readonly string[] | undefined>;
}

export interface SignInFacts {
  readonly state: "signed_in" | "expired" | "needs_auth" | "none";
  /** Milliseconds since 1970; null where it is not known. */
  readonly expiresAt: number | null;
  readonly scope: string | null;
}

/** Address that a person opens, and the code that is typed there where one is needed. */
export interface SignInPrompt {
  readonly url: string;
  readonly code?: string;
  /** Host of the authorization server where it is another than before. */
  readonly otherIssuer?: string;
  /** Host that the outcome goes to where it is another than that of the address. */
  readonly receiver?: string;
}

/** Sign-ins at servers. */
export interface SignInKeeper {
  /** State of a server's sign-in; undefined for a server that has none. */
  read(server: string): Promise<SignInFacts | undefined>;
  /** Begins a sign-in, which goes on until the person has signed in or 120 s have passed. Resolves with
   * undefined where no person is needed. Throws where it cannot begin. */
  begin(server: string): Promise<SignInPrompt | undefined>;
  /** Ends a sign-in; false where its server did not revoke it. */
  end(server: string): Promise<boolean>;
}

export interface PageDeps {
  readonly registry: Registry;
  readonly finder: Finder;
  readonly shapes: Pick<Shapes, "resultOf">;
  readonly statistics: Pick<Statistics, "enabled" | "read">;
  readonly journal: Pick<Journal, "list" | "facets" | "find" | "clientOf">;
  readonly resultSource: Pick<ResultSource, "read">;
  readonly inbox: Pick<Inbox, "list" | "answer">;
  readonly trust: TrustKeeper;
  readonly pins: PinKeeper;
  readonly signIns: SignInKeeper;
  readonly confirmations: Confirmations;
  /** Folder of the project. */
  readonly project: string;
  readonly limits: () => { readonly bodyBytes: number };
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Parts that the routes of the page get. */
export interface PageParts {
  readonly deps: PageDeps;
  /** Frame of a page, with the questions that wait at the moment. */
  readonly frame: () => Frame;
}
