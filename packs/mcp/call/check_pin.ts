/** Check of a call against the tool as it was first seen. */

import { PackError } from "../../errors.ts";
import type { CallOptions } from "../../types.ts";
import type { ChangeKind } from "../pins/pin.ts";
import type { ToolKeeper } from "../tools/tool_keeper.ts";

interface CheckedCall extends Pick<CallOptions, "onWarning"> {
  readonly server: string;
  readonly tool: string;
}

/** Warns of a tool that has changed, or throws `PackError` where it is held. */
export function checkPin(keeper: ToolKeeper, { server, tool, onWarning }: CheckedCall): void {
  const { pins } = keeper;
  const change = keeper.changeOf(tool);
  if (!change || !pins) return;
  const name = `${server}.${tool}`;
  const state = stateText(change.kinds, pins.isDamaged);
  const wayOut =
    `review it with "toolscript pins", accept it with "toolscript pins accept ${server}"`;
  if (pins.mode === "hold") {
    throw new PackError("blocked", `Cannot call "${name}": ${state}: ${wayOut}`, {
      tool: name,
      details: { reason: "changed", changes: [...change.kinds] },
    });
  }
  onWarning?.({ message: `"${name}": ${state}: ${wayOut}` });
}

function stateText(kinds: readonly ChangeKind[], isDamaged: boolean): string {
  if (isDamaged && kinds.includes("new")) {
    return "it counts as changed, since the file of what was first seen is damaged";
  }
  if (kinds.includes("new")) return "it is new since the server was first seen";
  const last = kinds.at(-1) ?? "";
  const parts = kinds.length > 1 ? `${kinds.slice(0, -1).join(", ")} and ${last}` : last;
  return `its ${parts} changed since it was first seen`;
}
