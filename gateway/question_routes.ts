/** `GET /questions` and `POST /questions/:id`: the inbox over HTTP. */

import { isObject } from "#base";
import type { AnswerSource, GivenAnswer, Inbox } from "#runtime";
import { readJson } from "./body.ts";
import type { EventFeed } from "./events.ts";
import { clientOf } from "./client_name.ts";
import { HttpError } from "./problem.ts";

export interface QuestionRoutesDeps {
  readonly inbox: Inbox;
  readonly limits: () => { readonly bodyBytes: number };
}

export interface QuestionRoutes {
  list(): Response;
  answer(id: string, request: Request): Promise<Response>;
}

/** Calls that an answer may name. */
const MOST_CALLS = 10_000;

/** Builds the routes. */
export function createQuestionRoutes({ inbox, limits }: QuestionRoutesDeps): QuestionRoutes {
  return {
    list: () => Response.json(inbox.list(), { headers: { "cache-control": "no-store" } }),
    async answer(id, request) {
      const answer = readAnswer(await readJson(request, limits().bodyBytes));
      return answered(inbox, { id, answer, from: sourceOf(request) });
    },
  };
}

export interface PlacedAnswer {
  readonly id: string;
  readonly answer: GivenAnswer;
  readonly from: AnswerSource;
}

/** Gives an answer to the inbox. Throws `HttpError` for one that it does not take. */
export function answered(
  inbox: Pick<Inbox, "answer">,
  { id, answer, from }: PlacedAnswer,
): Response {
  const outcome = inbox.answer(id, answer, from);
  switch (outcome) {
    case "answered":
      return Response.json({ ok: true });
    case "unknown":
      throw new HttpError(
        "not_found",
        `No question "${id}" is open: it was answered, has expired, or never existed`,
      );
    case "bad":
      throw bad(
        'it takes "call", "run" or "no" for a call, "all" (with places in "calls") or "no" ' +
          'for a plan, "no" for a sign-in',
      );
    default:
      throw outcome satisfies never;
  }
}

/** Checks the form of an answer. Throws `HttpError("bad_request")`. */
export function readAnswer(body: unknown): GivenAnswer {
  const { allow, calls } = isObject(body) ? body : {};
  if (allow !== "call" && allow !== "run" && allow !== "all" && allow !== "no") {
    throw bad('"allow" is not "call", "run", "all" or "no"');
  }
  if (calls === undefined || calls === null) return { allow };
  if (!isPlaces(calls)) throw bad('"calls" is not a list of places, counted from 0');
  return { allow, calls };
}

function isPlaces(calls: unknown): calls is number[] {
  return Array.isArray(calls) && calls.length <= MOST_CALLS &&
    calls.every((place) => Number.isInteger(place) && place >= 0);
}

/** A browser sends the cookie of the page; a program sends the token. */
function sourceOf(request: Request): AnswerSource {
  const via = request.headers.has("authorization") ? "http" : "page";
  return { via, client: clientOf(request) };
}

function bad(problem: string): HttpError {
  return new HttpError("bad_request", `Cannot answer: ${problem}`);
}

/** Feed of `question` and `answered` events. */
export function inboxFeed(inbox: Pick<Inbox, "subscribe">): EventFeed {
  return (send) =>
    inbox.subscribe((event) => {
      if (!event.isListed) return;
      if (event.type === "question") return send({ type: "question", ...event.question });
      const { question: { id, run, kind }, answer } = event;
      send({ type: "answered", id, run, kind, ...answer });
    });
}
