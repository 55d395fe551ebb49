/** Page of a request that was not done. */

import type { JSX } from "hono/jsx/jsx-runtime";
import type { Problem } from "../../problem.ts";
import { Code } from "./parts.tsx";

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
