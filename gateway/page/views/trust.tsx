/** A project that no person has trusted yet: what it would start, and the button that trusts it. */

import type { JSX } from "hono/jsx/jsx-runtime";
import { Code, Panel, State } from "./parts.tsx";

export interface TrustProps {
  /** The list of what the project would start and read. */
  readonly text: string;
  readonly hash: string;
}

/** Place of the question on the first page. */
export function Trust({ text, hash }: TrustProps): JSX.Element {
  return (
    <Panel title="Trust what this project starts?" aside={<State kind="warn">Not trusted</State>}>
      <Code label="List" text={text} />
      <form class="actions" method="post" action="/page/trust">
        <input type="hidden" name="hash" value={hash} />
        <button type="submit">Trust it</button>
        <span class="soft small">
          Until then nothing of the project is started. <code>toolscript trust --revoke</code>{" "}
          takes a yes back.
        </span>
      </form>
    </Panel>
  );
}
