/** `text.hash`, `text.encode` and `text.decode`. */

import { PackError } from "../../errors.ts";
import { type FileInput, fileInput } from "../kit/files.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import type { TextParts } from "./parts.ts";
import type { HashInput } from "./work/encoding.ts";

const ALGORITHMS = [
  "sha256",
  "sha512",
  "sha384",
  "sha1",
  "md5",
  "sha3-256",
  "sha3-512",
  "blake2b512",
  "blake2s256",
] as const;

const CODES = ["base64", "base64url", "hex", "url", "form", "html", "json", "unicode"] as const;

/** Makes the tools. */
export function encodingTools(parts: TextParts): BuiltinTool[] {
  return [
    hashTool(parts),
    defineTool({
      name: "encode",
      description: "Encodes or escapes a text, or brings it into a Unicode form",
      params: {
        text: p.text("The text"),
        to: p.choice(
          "form is that of queries (space as +), json a string in quotes, unicode \\u escapes, " +
            "nfc to nfkd the Unicode forms",
          [...CODES, "nfc", "nfd", "nfkc", "nfkd"],
        ),
      },
      returns: { type: "string" },
      examples: ['text.encode(text="a & b", to="html")'],
      effect: "read",
      run: (input, { signal, run }) =>
        parts.workers.run<string>({ kind: "encode", input }, {
          what: "encode the text",
          signal,
          run,
        }),
    }),
    defineTool({
      name: "decode",
      description: "Gives back the text that was encoded; what is not text in UTF-8 is refused",
      params: {
        text: p.text("The encoded text"),
        from: p.choice("How it is encoded; base64 takes both alphabets", CODES),
      },
      returns: { type: "string" },
      examples: ['text.decode(text="aGVsbG8=", from="base64")'],
      effect: "read",
      run: (input, { signal, run }) =>
        parts.workers.run<string>({ kind: "decode", input }, {
          what: `decode as ${input.from}`,
          signal,
          run,
        }),
    }),
  ];
}

function hashTool(parts: TextParts): BuiltinTool {
  return defineTool({
    name: "hash",
    description: "The digest of a text (as UTF-8) or of a file; with a key, the HMAC",
    params: {
      text: p.optional(p.text("The text; this or path")),
      path: p.optional(p.path("A file, within the folders of the pack file")),
      algorithm: p.choice("md5 and sha1 are for comparing only: they protect nothing", ALGORITHMS),
      encoding: p.choice("How the digest is written", ["hex", "base64", "base64url"]),
      key: p.optional(p.text("Makes it an HMAC with this key")),
    },
    returns: { type: "string" },
    examples: ['text.hash(text="abc")'],
    effect: "read",
    run: async ({ text, path, algorithm, encoding, key }, { signal, run }) => {
      const input: HashInput = {
        source: await source(parts, text, path),
        algorithm,
        encoding,
        key,
      };
      const workers = path === undefined ? parts.workers : parts.fileWorkers;
      return await workers.run<string>({ kind: "hash", input }, {
        what: "hash",
        signal,
        run,
      });
    },
  });
}

async function source(
  { files }: TextParts,
  text: string | undefined,
  path: string | undefined,
): Promise<string | FileInput> {
  if (text !== undefined && path === undefined) return text;
  if (path !== undefined && text === undefined) {
    return await fileInput(path, { files, maxBytes: Infinity });
  }
  throw new PackError("invalid_arguments", 'Cannot hash: pass either "text" or "path"');
}
