/** Frame of every page: head, navigation, and the place of its content. */

import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Problem } from "../../problem.ts";
import { brief, Code } from "./parts.tsx";
import { html, type HtmlOptions, htmlWithLater } from "../headers.ts";

/** Facts that every page shows. */
export interface Frame {
  /** Name of the project's folder. */
  readonly project: string;
  /** Addresses of the style sheet, the scripts and the icon. */
  /** Number of questions that wait for an answer. */
  readonly waiting: number;
  readonly assets: Readonly<Record<"style" | "script" | "presses" | "icon", string>>;
}

export interface PageProps {
  readonly title: string;
  /** Path of the entry in the navigation that the page belongs to. */
  readonly section?: string;
  /** Address that the page is read from again, where its own is that of a form. */
  readonly self?: string;
  readonly children?: Child;
}

const SECTIONS = [
  ["/", "Now"],
  ["/runs", "Runs"],
  ["/servers", "Servers"],
  ["/tools", "Tools"],
  ["/stats", "Statistics"],
] as const;

/** Builds the response with a page in its frame. */
export function framed(frame: Frame, page: PageProps, options?: HtmlOptions): Promise<Response> {
  return html(documentOf(frame, page), options);
}

/** Builds the same for a page with a part that follows later, at `LATER`. */
export function framedWithLater(
  frame: Frame,
  page: PageProps,
  later: () => Promise<string>,
): Promise<Response> {
  return htmlWithLater(documentOf(frame, page), later);
}

function documentOf(frame: Frame, { title, section, self, children }: PageProps): JSX.Element {
  const { project, assets, waiting } = frame;
  const count = waiting > 0 ? `(${waiting}) ` : "";
  return (
    <html lang="en">
      <Head title={`${count}${title} · ${brief(project)} · Toolscript`} assets={assets} />
      <body data-self={self}>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <a class="brand" href="/">
            <img src={assets.icon} alt="" width="24" height="24" />
            <span>Toolscript</span>
          </a>
          <nav aria-label="Pages">
            {SECTIONS.map(([path, name]) => (
              <a href={path} aria-current={path === section ? "page" : undefined}>
                {name}
                {path === "/" && <Waiting count={waiting} />}
              </a>
            ))}
          </nav>
          <p class="project" title={brief(project)}>
            <span id="live" class="state off" role="status">
              <span class="name">Reload to update</span>
            </span>
            <span class="where">{brief(project)}</span>
          </p>
        </header>
        <Announcement count={waiting} />
        <p id="refusal" role="alert"></p>
        <main id="content" tabindex={-1}>{children}</main>
      </body>
    </html>
  );
}

/** Number of questions beside the link to them; its place is kept while there is no question. */
function Waiting({ count }: { readonly count: number }): JSX.Element {
  return (
    <span class="badge" data-live="waiting">
      {count > 0 && <b>{count > 99 ? "99+" : String(count)}</b>}
    </span>
  );
}

/** The same for those who listen. */
function Announcement({ count }: { readonly count: number }): JSX.Element {
  return (
    <p class="unseen" role="status" data-live="announcement">
      {count > 0 && `${count} ${count === 1 ? "question waits" : "questions wait"} for you`}
    </p>
  );
}

function Head(
  { title, assets }: { readonly title: string; readonly assets: Frame["assets"] },
): JSX.Element {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assets.icon} />
      <link rel="stylesheet" href={assets.style} />
      {/* Runs before any button is there. */}
      <script src={assets.presses}></script>
      <script type="module" src={assets.script}></script>
    </head>
  );
}

export interface FailureProps {
  readonly status: number;
  readonly error: Problem["error"];
}

/** Error in words, and the way on. */
export function Failure({ status, error }: FailureProps): JSX.Element {
  const title = status === 404 ? "There is nothing here" : "This was not done";
  return (
    <>
      <div class="title">
        <h1>{title}</h1>
        <p class="soft">{`${status} ${error.code}`}</p>
      </div>
      <Code label="Error" text={error.message} />
      <p>
        <a href="/">Go on to what happens now</a>
      </p>
    </>
  );
}
