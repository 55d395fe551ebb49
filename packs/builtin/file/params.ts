/** Parameters of the tools of the `file` pack; the types of their arguments follow from them. */

import * as p from "../kit/params.ts";
import { ENCODINGS } from "./text.ts";

export const PATH = p.path("The file, relative to the project", { examples: ["README.md"] });
const FOLDER = p.byDefault(p.path("The folder, relative to the project"), ".");
const HIDDEN = p.flag("Also names that begin with a dot");
const IGNORED = p.flag("Also what .gitignore, .ignore and .rgignore leave out");

export const READ = {
  path: PATH,
  offset: p.byDefault(p.whole("The first line, from 1; a negative one counts from the end"), 1),
  limit: p.byDefault(p.whole("Lines at most", { minimum: 1 }), 2_000),
  numbered: p.flag("Each line begins with its number and a tab"),
  encoding: p.choice("How to read it", ENCODINGS),
};
export const LIST = { path: FOLDER, hidden: HIDDEN };
export const TREE = {
  path: FOLDER,
  depth: p.byDefault(p.whole("How deep", { minimum: 1, maximum: 64 }), 3),
  hidden: HIDDEN,
  ignored: IGNORED,
};
export const SEARCH = {
  glob: p.texts(
    'Globs: "*.ts" at any depth, "src/**/*.ts" from the folder searched, "!*.test.ts" takes out',
    { examples: [["*.ts"]] },
  ),
  path: FOLDER,
  kind: p.choice("What to find", ["file", "folder", "any"]),
  hidden: HIDDEN,
  ignored: IGNORED,
};

const NOTES = p.path("The file, relative to the project", { examples: ["notes.md"] });
const DRY_RUN = p.flag("Change nothing, give the diff");

export const WRITE = {
  path: NOTES,
  text: p.text("All of its text", { examples: ["# Notes\n"] }),
  overwrite: p.flag("Replace a file that is there", true),
  dry_run: DRY_RUN,
};
export const APPEND = { path: NOTES, text: p.text("What to add", { examples: ["- one\n"] }) };
export const EDIT = {
  path: NOTES,
  old: p.text("The text as it is, white space included", { examples: ["- one"] }),
  new: p.text("The text to be", { examples: ["- two"] }),
  all: p.flag("Replace it wherever it is"),
  dry_run: DRY_RUN,
};
export const PAIR = {
  from: p.path("What, relative to the project", { examples: ["notes.md"] }),
  to: p.path("Its new path, the name included", { examples: ["old/notes.md"] }),
  overwrite: p.flag("Replace a file that is there"),
};

/** Arguments of a tool with these parameters. */
export type Args<P extends p.Params> = p.ArgsOf<P>;

/** Arguments of a tool that also takes a limit, whose maximum is a setting. */
export type LimitedArgs<P extends p.Params> = p.ArgsOf<P> & { readonly limit: number };
