/** Check of every pack of `.onetool/tools`, loaded once in a process of its own. */

import type { CheckedPack, PackFinding } from "#packs";
import type { CheckOptions, CliIo } from "../io.ts";
import { bad, type Finding, good, worth } from "./types.ts";

export async function checkPacks(io: CliIo, options: CheckOptions): Promise<Finding[]> {
  const { packs, findings } = await io.checkPacks(options);
  return [
    ...findings.map((finding) => toFinding("packs", finding)),
    ...packs.flatMap(ofPack),
  ];
}

function ofPack({ name, file, isOff, findings }: CheckedPack): Finding[] {
  const check = `pack ${name}`;
  if (isOff) return [good(check, "Switched off")];
  if (findings.length === 0) return [good(check, file.file)];
  return findings.map((finding) => toFinding(check, finding));
}

function toFinding(check: string, { severity, message, file, line, fix }: PackFinding): Finding {
  const place = line === undefined ? file : `${file}:${line}`;
  const way = fix === undefined ? undefined : `${fix.slice(0, 1).toUpperCase()}${fix.slice(1)}`;
  return (severity === "error" ? bad : worth)(check, `${place}: ${message}`, way);
}
