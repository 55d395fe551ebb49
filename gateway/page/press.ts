/** Forms of the page that a person sends, by a press that was meant for them. */

import { readForm } from "../body.ts";
import { HttpError } from "../problem.ts";
import type { PageDeps } from "./deps.ts";

/** Message for a press on a page that had only just come. */
export const TOO_EARLY = "Nothing happened: the page had only just come when you pressed: " +
  "press again, where it is gone after you went back to it";

/** Reads the fields of a form; throws 409 where its page has only just come. */
export async function readPress(
  request: Request,
  { sessions, limits }: Pick<PageDeps, "sessions" | "limits">,
): Promise<URLSearchParams> {
  const form = await readForm(request, limits().bodyBytes);
  if (sessions.takesPress(request)) return form;
  throw new HttpError("bad_request", TOO_EARLY, { status: 409 });
}
