/** Parameters that the tools of the `grep` pack share, with the types of their arguments. */

import * as p from "../kit/params.ts";

export const WHERE = {
  path: p.byDefault(p.path("Folder or file to search, relative to the project"), "."),
  glob: p.texts(
    'Globs of files: "*.ts" at any depth, "src/**/*.ts" from the folder searched, "!*.test.ts" ' +
      "takes out",
    { examples: [["*.ts"]] },
  ),
  hidden: p.flag("Also files and folders whose names begin with a dot"),
  ignored: p.flag("Also what .gitignore, .ignore and .rgignore leave out"),
};
export const PATTERN = {
  pattern: p.text("A regular expression of JavaScript, or a text with fixed", {
    examples: ["TODO"],
  }),
  fixed: p.flag("The pattern is a plain text"),
  ignore_case: p.flag("Upper and lower case are the same"),
  word: p.flag("Whole words only"),
  multiline: p.flag("A match may go over several lines"),
};

export type PatternArgs = p.ArgsOf<typeof PATTERN>;
export type WhereArgs = p.ArgsOf<typeof WHERE> & { readonly limit: number };
