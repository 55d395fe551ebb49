/** Variables of a server that say what its programs load. */

import { delimiter } from "node:path";
import { languageOfInterpreter } from "../../interpreters.ts";
import { MODULES } from "../languages.ts";
import { namesOf, pathIn } from "../link_names.ts";
import { addData, addPackage, MOST_DEPTH, type Reader } from "../scripts.ts";
import { wordsOf } from "../words.ts";
import { addFetched, addModules, addWord } from "./path_words.ts";

/** Variables with folders and files that a program loads before its own. */
const LOADING = new RegExp(
  `^(?:${
    [
      "PYTHON\\w+|NODE_\\w+|TS_NODE_\\w+|BABEL_\\w+|PERL5\\w*|RUBY\\w+|JRUBY_\\w+|TCL\\w+|R_\\w+|JULIA_\\w+",
      "LUA_\\w+|ERL_\\w+|ELIXIR_\\w+|GUILE_\\w+|PLT\\w+|EMACS\\w+|O?CAML\\w+|GHC\\w*|PSMODULEPATH",
      "DOTNET_\\w+|CORECLR_\\w+|MONO_\\w+|LD_\\w+|DYLD_\\w+|GCONV_PATH|OPENSSL_\\w+|HF_HOME|TORCH_HOME",
      "CLASSPATH|_?JAVA_\\w*OPTIONS|JDK_JAVA_OPTIONS|MAKE(?:FILES|FLAGS)|GNUMAKEFLAGS|VIRTUAL_ENV",
      "BASH_ENV|ENV|ZDOTDIR|(?:\\w*_)?[A-Z]{2,}RC|\\w*_(?:PROFILE(?:_USER)?|STARTUP|HOOKS?|PRELOAD)",
      "\\w*(?:LIB|LOAD|MODULES?|PLUGINS?|EXTENSIONS?)_?(?:PATHS?|DIRS?|FOLDERS?)",
    ].join("|")
  })$`,
  "is",
);
/** Those of interpreters that load files without an ending too, and indexes of their own. */
const ANY_NAME = /^(?:TCL|R_|PERL|LUA_|ERL_|EMACS|GUILE_|PLT)/i;
/** Those of package managers, of settings and of compiled code: all in a folder of theirs counts. */
const INSTALLING =
  /^(?:(?:UV|PIP|PIPX|NPM_CONFIG|PNPM|YARN|BUN|DENO|POETRY|PDM|PIPENV|HATCH|CONDA|MAMBA|PIXI|BUNDLE|GEM|COMPOSER|CARGO|COREPACK|XDG|PHP)_\w+|PHPRC|NODE_COMPILE_CACHE)$/i;

/** Adds what a variable names. */
export async function addVariable(name: string, value: string, reader: Reader): Promise<void> {
  if (name === "PATH") return addPath(value, reader);
  const installs = INSTALLING.test(name);
  const loads = installs || LOADING.test(name);
  const language = languageOfInterpreter(/^_?([a-z]+)/i.exec(name)?.[1] ?? "");
  // A missing entry of a list of folders is no script.
  const own = {
    ...reader,
    language: language ?? reader.language,
    ...(/PATH$/i.test(name) ? { interpreter: undefined } : {}),
  };
  const words = loads ? partsOf(value) : wordsOf([value]);
  const ending = ANY_NAME.test(name) ? MODULES.shell : MODULES.other;
  if (installs) await addFetched(words, own);
  for (const word of words) {
    if (loads && !installs) await addModules(word, ending, own);
    if (loads) await addData([word], own, { maybeMissing: true });
    if (loads || /[./]/.test(word)) await addWord(word, own, MOST_DEPTH);
  }
}

/** Adds folders in which whatever the server starts by name lies. */
function addPath(value: string, reader: Reader): void {
  for (const folder of value.split(delimiter)) {
    for (const path of namesOf(pathIn(reader.bases[0] ?? "/", folder))) {
      addPackage(path, "shell", reader);
    }
  }
}

/** Words of options and lists, those in quotes with their blanks. */
function partsOf(value: string): string[] {
  const words = wordsOf([value, ...value.split(/["']/)])
    .map((word) => word.replace(/^(?:-I=?|@)/, ""));
  return [...new Set(words.flatMap((word) => [word, ...word.split(delimiter)]))].filter(Boolean);
}
