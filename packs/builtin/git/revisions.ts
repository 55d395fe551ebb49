/** Names of commits, which git also looks for in files of its folder that are no refs. */

import { PackError } from "../../errors.ts";
import { byteText } from "./bytes.ts";
import { failed } from "./failed.ts";
import type { GitAnswer } from "./process.ts";

/** Runs git in the repository, whatever its end. */
type Ask = (args: readonly string[]) => Promise<GitAnswer>;

const VERIFY = ["--verify", "--quiet", "--end-of-options"];

/** Id of the commit that a revision names. Throws `PackError`, also for the name of a file that is no
 * ref: no links are looked for in some folders, such as `hooks`. */
export async function commitOf(revision: string, ask: Ask): Promise<string> {
  checkRevision(revision);
  const [answer, ...names] = await Promise.all([
    ask(["rev-parse", ...VERIFY, `${revision}^{commit}`]),
    ...refsIn(revision).map((name) => ask([...FULL_NAME, ...VERIFY, name])),
  ]);
  if (!names.every(({ bytes }) => isRef(byteText(bytes).trimEnd()))) {
    const fix = "name it in whole, as in refs/heads/main, or by its id";
    throw failed(`no commit "${revision}" among branches, tags and other refs: ${fix}`);
  }
  const id = byteText(answer.bytes).trim();
  if (/^[0-9a-f]{40,64}$/.test(id)) return id;
  throw failed(`no commit "${revision}": look at git.log and git.branches`);
}

/** The first of several meanings, as it counts for an id. */
const FULL_NAME = ["-c", "core.warnAmbiguousRefs=false", "rev-parse", "--symbolic-full-name"];

/** Names in a revision that may be refs: `main` and `main@{u}` in `main@{u}~2`. */
function refsIn(revision: string): string[] {
  const [base = ""] = revision.split(/[~^:]/);
  const parts = base.split(/(?=@\{)/);
  return parts.map((_, at) => parts.slice(0, at + 1).join("")).filter(Boolean);
}

/** True for the whole name of a ref, or an empty one, as that of an id; false for that of another file.
 * Files at the top of git's folder count, as `HEAD`: all links there are looked at. */
export function isRef(name: string): boolean {
  return name.startsWith("refs/") || !name.includes("/");
}

/** Throws for a revision that could be an option. */
function checkRevision(revision: string): void {
  const isPlain = revision.length <= 500 && /^[^-\s\0][^\s\0]*$/.test(revision);
  if (isPlain && revision.split("@{").length <= MOST_TURNS) return;
  const why = 'a revision does not begin with -, has no white space and few "@{"';
  throw new PackError("invalid_arguments", `Cannot use ${JSON.stringify(revision)}: ${why}`);
}

/** Limit of the parts as in `main@{u}@{1}`: each is asked about. */
const MOST_TURNS = 4;
