/** Questions that wait for a person, each with the ways to answer it. */

import type { WaitingQuestion } from "#runtime";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { ArgumentText } from "../argument_texts.ts";
import { brief, Code, Effect, Empty, Panel, State, Time, visible } from "./parts.tsx";
import { runPath } from "./paths.ts";

export interface QuestionsProps {
  readonly questions: readonly WaitingQuestion[];
  /** Name of the client that sent a run. */
  readonly clientOf: (run: string) => string | undefined;
  readonly argumentText: ArgumentText;
  readonly now: number;
}

/** Place of the questions on the first page. */
export function Questions({ questions, ...about }: QuestionsProps): JSX.Element {
  const keys = (
    <span class="soft keys">
      On a question: <Key name="A" /> allows, <Key name="R" /> for the run, <Key name="N" /> refuses
    </span>
  );
  return (
    <Panel title="Waiting for you" class="flush waiting" aside={keys}>
      <ol class="questions" data-live="questions" data-append>
        {questions.map((question) => (
          <li data-key={question.id}>
            <Question question={question} {...about} />
          </li>
        ))}
      </ol>
      <Empty title="Nothing waits for you">
        Calls that need a yes appear here, for agents that cannot ask by themselves, too.
      </Empty>
    </Panel>
  );
}

function Key({ name }: { readonly name: string }): JSX.Element {
  return <kbd>{name}</kbd>;
}

/** Characters of a reason. That of a sign-in names hosts, and the page shows each whole: four of at most
 * 259 characters. */
const MOST_OF_REASON = { call: 500, plan: 500, sign_in: 2_000 };

interface QuestionProps extends Omit<QuestionsProps, "questions"> {
  readonly question: WaitingQuestion;
}

function Question({ question, clientOf, argumentText, now }: QuestionProps): JSX.Element {
  const { id, kind, run, line, because, expires_at } = question;
  const client = run === null ? undefined : clientOf(run);
  return (
    <article class="question" tabindex={0} aria-labelledby={`${id}-title`}>
      <header>
        <h3 id={`${id}-title`}>
          <Title question={question} />
        </h3>
        <p class="soft small">
          {client !== undefined && <span>{brief(client, 60)}</span>}
          {run !== null && <a href={runPath(run)}>{line === null ? "Its run" : `Line ${line}`}</a>}
          <span>
            until <Time at={Date.parse(expires_at)} now={now} />
          </span>
        </p>
      </header>
      {because !== null && <p class="because">{brief(because, MOST_OF_REASON[kind])}</p>}
      <form method="post" action={`/page/questions/${encodeURIComponent(id)}`}>
        <Body question={question} argumentText={argumentText} />
        <p class="problem" role="alert"></p>
      </form>
    </article>
  );
}

function Title({ question }: { readonly question: WaitingQuestion }): JSX.Element {
  const { kind, tool = "", calls = [], server = "", account, code } = question;
  switch (kind) {
    case "call":
      return (
        <>
          <State kind="waiting">{code ? "Use" : "Call"}</State>{" "}
          <span class="mono">{brief(tool, 200)}</span>
        </>
      );
    case "plan":
      return (
        <>
          <State kind="waiting">Program</State>{" "}
          <span>{`with ${calls.length} ${calls.length === 1 ? "call" : "calls"}`}</span>
        </>
      );
    case "sign_in":
      return (
        <>
          <State kind="waiting">Sign in</State>{" "}
          <span class="mono">{brief(account ? `${server} (${account})` : server, 200)}</span>
        </>
      );
    default:
      return kind satisfies never;
  }
}

type BodyProps = Pick<QuestionProps, "question" | "argumentText">;

function Body({ question, argumentText }: BodyProps): JSX.Element {
  switch (question.kind) {
    case "call":
      return (
        <>
          <Code label="Arguments" text={argumentText(question.arguments ?? {})} />
          <p class="actions">
            <Answer allow="call" shortcut="a" primary>Allow</Answer>
            <Answer allow="run" shortcut="r">Allow for this run</Answer>
            <Answer allow="no" shortcut="n">Refuse</Answer>
          </p>
        </>
      );
    case "plan":
      return <Plan question={question} argumentText={argumentText} />;
    case "sign_in":
      return (
        <p class="actions">
          <SignIn url={question.url ?? ""} />
          <Answer allow="no" shortcut="n">Refuse</Answer>
        </p>
      );
    default:
      return question.kind satisfies never;
  }
}

interface AnswerProps {
  readonly allow: string;
  readonly shortcut: string;
  readonly primary?: boolean;
  readonly children?: Child;
}

function Answer({ allow, shortcut, primary = false, children }: AnswerProps): JSX.Element {
  return (
    <button
      type="submit"
      class={primary ? "primary" : undefined}
      name="allow"
      value={allow}
      data-shortcut={shortcut}
    >
      {children} <kbd aria-hidden="true">{shortcut.toUpperCase()}</kbd>
    </button>
  );
}

/** Calls of a program, by tool; each can be left out. */
function Plan({ question, argumentText }: BodyProps): JSX.Element {
  const { calls = [], uncertain, incomplete } = question;
  const places = calls.map((call, place) => ({ call, place }));
  const byTool = Map.groupBy(places, ({ call }) => call.tool);
  return (
    <>
      {uncertain && (
        <p class="notice">
          Some calls depend on the result of one that was not made yet: they may turn out different,
          and are asked about again then.
        </p>
      )}
      {incomplete && (
        <p class="notice">The program failed while it was planned: these are its calls so far.</p>
      )}
      {[...byTool].map(([tool, group]) => (
        <fieldset class="plan">
          <legend class="mono">{brief(tool, 200)}</legend>
          {group.map(({ call, place }) => (
            <div class="planned">
              <label>
                <input type="checkbox" name="calls" value={String(place)} checked />
                <span>{call.line === null ? "Call" : `Line ${call.line}`}</span>
                <Effect effect={call.effect} />
              </label>
              {call.because !== undefined && <p class="because">{brief(call.because, 500)}</p>}
              <Code label={`Arguments of ${brief(tool, 80)}`} text={argumentText(call.arguments)} />
            </div>
          ))}
        </fieldset>
      ))}
      <p class="actions">
        <Answer allow="all" shortcut="a" primary>Allow what is chosen</Answer>
        <Answer allow="no" shortcut="n">Refuse all</Answer>
      </p>
    </>
  );
}

/** Link to a sign-in, which names the host that it leads to. */
function SignIn({ url }: { readonly url: string }): JSX.Element {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    return <span class="wrap">{visible(url)}</span>;
  }
  return (
    <a class="button primary" href={address.href} target="_blank" rel="noopener noreferrer">
      {`Sign in at ${visible(address.host)}`}
    </a>
  );
}
