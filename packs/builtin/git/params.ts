/** Parameters of the tools of the `git` pack; the types of their arguments follow from them. */

import * as p from "../kit/params.ts";

export const REPO = p.byDefault(p.path("A folder of the repository, relative to the project"), ".");
const FILE = p.path("A file or folder, relative to the repository", {
  form: "repository",
  examples: ["README.md"],
  maxLength: 4_096,
});
const REVISION = p.byDefault(word("A commit: an id, a branch, a tag, HEAD~2"), "HEAD");
const CONTEXT = p.byDefault(p.whole("Lines around each change", { minimum: 0, maximum: 1_000 }), 3);

/** A text that git gets as an argument: of much longer ones, no program can be started. */
function word(description: string, more: { readonly examples?: readonly string[] } = {}) {
  return p.text(description, { ...more, maxLength: 1_000 });
}

function limit(standard: number) {
  return p.byDefault(p.whole("How many at most", { minimum: 1, maximum: 10_000 }), standard);
}

export const STATUS = { repo: REPO, file: p.optional(FILE), limit: limit(500) };
export const DIFF = {
  repo: REPO,
  from: p.optional(word("A commit to compare with", { examples: ["HEAD~1"] })),
  to: p.optional(word("The newer commit", { examples: ["HEAD"] })),
  staged: p.flag("What is staged, not the work tree"),
  file: p.optional(FILE),
  context: CONTEXT,
};
export const BRANCHES = {
  repo: REPO,
  kind: p.choice("Which", ["local", "remote", "all"]),
  limit: limit(200),
};
export const LOG = {
  repo: REPO,
  revision: p.byDefault(word("Where to begin, or a range as in main..HEAD"), "HEAD"),
  file: p.optional(FILE),
  author: p.optional(word("Part of the author's name or address")),
  message: p.optional(word("Part of the message")),
  since: p.optional(word("Not before", { examples: ["2 weeks ago"] })),
  until: p.optional(word("Not after", { examples: ["2026-01-31"] })),
  limit: limit(20),
  skip: p.byDefault(p.whole("How many to pass over", { minimum: 0 }), 0),
};
export const SHOW = { repo: REPO, revision: REVISION, file: p.optional(FILE), context: CONTEXT };
export const FILE_AT = { repo: REPO, file: FILE, revision: REVISION };
export const BLAME = {
  repo: REPO,
  file: FILE,
  revision: REVISION,
  first: p.byDefault(p.whole("The first line", { minimum: 1 }), 1),
  limit: limit(500),
};

/** Arguments of a tool with these parameters. */
export type Args<P extends p.Params> = p.ArgsOf<P>;
