/** Rewrites `/` after a project path as `join` (rule 6). */

import { endOf, startOf } from "../../syntax/parse.ts";
import { lastIn } from "../../syntax/tokens.ts";
import type { Rewriting } from "./rewriting.ts";
import type { Path } from "./path.ts";

/** Rewrites `proj.site / "src"` as `proj.site.join("src")`. */
export function rewriteDivision(path: Path, { meanings, edits, text }: Rewriting): void {
  const { node, scope } = path;
  if (node.type !== "BinaryExpression") return;
  if (!meanings.isProjectPath(node.left, scope)) return;
  const from = endOf(node.left);
  const to = startOf(node.right);
  const at = lastIn(text, "/", { from, to });
  if (at < 0) return;
  if (node.left.type === "AwaitExpression") {
    edits.insert(startOf(node.left), "(");
    edits.insert(from, ")");
  }
  edits.insert(from, ".join(");
  edits.blank(at, at + 1);
  edits.close(to, endOf(node.right), ")");
}
