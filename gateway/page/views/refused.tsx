/** Page for a browser without a session, or that another page led here. It loads nothing, since
 * nothing is open to it. */

import { FRESH, html } from "../headers.ts";

const REASONS = {
  code: {
    title: "This link was used, or is too old",
    text: "A link to the page is good once, and for 60 seconds.",
  },
  elsewhere: {
    title: "Another page led here",
    text: "The page of a gateway opens by your own hand only: follow the link below, or type the " +
      "address.",
  },
  foreign: {
    title: "This link is not for this program",
    text: "A link to the page is good for a browser of the user whose gateway it is, and for no " +
      "program of a run.",
  },
  no_session: {
    title: "This browser is not signed in",
    text: "The page of a gateway opens with a link from the command line only.",
  },
  script: {
    title: "A script asked for this page",
    text: "An earlier server of this address left it in the browser. Close the other windows of " +
      "this address, then reload this page.",
  },
} as const;

export type RefusedReason = keyof typeof REASONS;

export interface RefusedOptions {
  /** True where the browser can use the page all the same. */
  readonly hasSession: boolean;
}

/** Builds the response, with status 401 or 403. */
export function refusedPage(
  reason: RefusedReason,
  { hasSession }: RefusedOptions,
): Promise<Response> {
  const { title, text } = REASONS[reason];
  const isElsewhere = reason === "elsewhere";
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Toolscript`}</title>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>{text}</p>
          <p>
            In a terminal, in the folder of the project, run <code>toolscript ui</code>{" "}
            to open the page with a new link, or <code>toolscript ui --no-browser</code>{" "}
            to print the link.
          </p>
          {(hasSession || isElsewhere) && (
            <p>
              {hasSession && "This browser is signed in already: "}
              <a href="/">open the page</a>.
            </p>
          )}
        </main>
      </body>
    </html>
  );
  return html(document, { status: isElsewhere ? 403 : 401, headers: FRESH });
}
