/** Answers to questions that the forms of the page send. */

import type { Context } from "hono";
import { readForm } from "../body.ts";
import { HttpError } from "../problem.ts";
import { answered, readAnswer } from "../question_routes.ts";
import { param } from "../routes.ts";
import type { PageDeps } from "./deps.ts";
import { seeOther } from "./headers.ts";

/** Gives the answer to the inbox, and leads on to the first page. */
export async function answerFromForm(context: Context, deps: PageDeps): Promise<Response> {
  const form = await readForm(context.req.raw, deps.limits().bodyBytes);
  const allow = form.get("allow");
  const calls = form.getAll("calls").map(Number);
  const answer = readAnswer({ allow, ...(allow === "all" ? { calls } : {}) });
  if (allow === "all" && calls.length === 0) {
    throw new HttpError(
      "bad_request",
      "Cannot allow: no call is chosen: choose some, or refuse all",
    );
  }
  answered(deps.inbox, { id: param(context, "id"), answer, from: { via: "page" } });
  return seeOther("/");
}
