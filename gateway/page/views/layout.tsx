/** Frame of every page: head, navigation, and the place of its content. */

import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { html, type HtmlOptions } from "../headers.ts";

/** Facts that every page shows. */
export interface Frame {
  /** Name of the project's folder. */
  readonly project: string;
  /** Addresses of the style sheet and the script. */
  readonly assets: { readonly style: string; readonly script: string; readonly icon: string };
}

export interface PageProps {
  readonly title: string;
  /** Path of the entry in the navigation that the page belongs to. */
  readonly section?: string;
  /** True where places of the page follow events. */
  readonly isLive?: boolean;
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
export function framed(
  frame: Frame,
  { title, section, isLive = false, children }: PageProps,
  options?: HtmlOptions,
): Promise<Response> {
  const { project, assets } = frame;
  const document = (
    <html lang="en">
      <Head title={`${title} · ${project} · Toolscript`} assets={assets} />
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <a class="brand" href="/">
            <img src={assets.icon} alt="" width="24" height="24" />
            <span>Toolscript</span>
          </a>
          <nav aria-label="Pages">
            {SECTIONS.map(([path, name]) => (
              <a href={path} aria-current={path === section ? "page" : undefined}>{name}</a>
            ))}
          </nav>
          <p class="project" title={project}>
            {isLive && (
              <span id="live" class="state off" role="status">
                <span class="name">Reload to update</span>
              </span>
            )}
            <span class="where">{project}</span>
          </p>
        </header>
        <main id="content" tabindex={-1}>{children}</main>
      </body>
    </html>
  );
  return html(document, options);
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
      <script type="module" src={assets.script}></script>
    </head>
  );
}
