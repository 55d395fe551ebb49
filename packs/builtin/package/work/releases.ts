/** Reads the versions that npm, PyPI and JSR list. */

import { parseLarge, TooManyParts } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";
import type { RegistryName } from "../package_name.ts";
import { asRecord, asText } from "../../kit/values.ts";

/** Lists and objects of a response. */
const MOST_PARTS = 1_000_000;
/** Links of a page. */
const MOST_LINKS = 100_000;
/** Characters of a version: further ones are no versions to npm. */
const MOST_VERSION = 256;
/** Characters of the releases of one package. */
const MOST_CHARS = 4 * 2 ** 20;

export interface Release {
  readonly version: string;
  /** Reason for the deprecation, or an empty text. */
  readonly deprecated?: string;
  readonly yanked?: boolean;
  readonly published?: string;
  /** Required runtime: `node >=18`, `python >=3.9`. */
  readonly requires?: string;
}

export interface Releases {
  readonly releases: readonly Release[];
  /** Versions by tag: `latest`. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface ReleasesInput {
  readonly registry: RegistryName;
  readonly name: string;
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

/** Reads the response of a registry, and returns a function that makes the JSON of its `Releases`. Both
 * throw `JobRefused`. */
export async function readReleases(
  { registry, name, bytes, contentType }: ReleasesInput,
): Promise<() => string> {
  const text = new TextDecoder().decode(bytes);
  bytes.transfer(0); // frees their memory now
  if (registry === "pypi" && /html/i.test(contentType)) {
    return () => written(pypiPage(text, name));
  }
  const answer = asRecord(await json(text));
  if (registry === "npm") return () => written(npm(answer));
  return () => written(registry === "jsr" ? jsr(answer) : pypi(answer, name));
}

function written({ releases, tags }: Releases): string {
  const short = releases.filter(({ version }) => version.length <= MOST_VERSION)
    .map(({ published, ...release }) => ({ ...release, published: published?.slice(0, 100) }));
  const text = JSON.stringify({ releases: short, tags });
  if (text.length <= MOST_CHARS) return text;
  throw new JobRefused(`its versions take more than ${MOST_CHARS >> 20} MB`);
}

async function json(text: string): Promise<unknown> {
  try {
    return await parseLarge(text, MOST_PARTS);
  } catch (error) {
    if (error instanceof TooManyParts) {
      throw new JobRefused(`the answer has more than ${MOST_PARTS} lists and objects`);
    }
    throw new JobRefused("the registry did not answer with JSON: is its address right?");
  }
}

function npm(answer: Record<string, unknown>): Releases {
  const times = asRecord(answer.time);
  const releases = Object.entries(asRecord(answer.versions)).map(([version, about]) => {
    const { deprecated, engines } = asRecord(about);
    const node = asText(asRecord(engines).node);
    return {
      version,
      deprecated: typeof deprecated === "string" && deprecated !== ""
        ? deprecated.slice(0, 500)
        : undefined,
      published: asText(times[version]),
      requires: node && `node ${node.slice(0, 100)}`,
    };
  });
  const tags = Object.entries(asRecord(answer["dist-tags"]))
    .flatMap(([tag, version]) => typeof version === "string" ? [[tag, version]] : []);
  return { releases, tags: Object.fromEntries(tags) };
}

function jsr(answer: Record<string, unknown>): Releases {
  const releases = Object.entries(asRecord(answer.versions)).map(([version, about]) => {
    const { yanked, createdAt } = asRecord(about);
    return { version, yanked: yanked === true, published: asText(createdAt) };
  });
  const latest = asText(answer.latest);
  return { releases, tags: latest === undefined ? {} : { latest } };
}

interface PypiFile {
  readonly filename: string;
  /** The reason, or a boolean. */
  readonly yanked: unknown;
  readonly published?: string;
  readonly requires?: string;
}

/** Reads the simple API as JSON (PEP 691, PEP 700). */
function pypi(answer: Record<string, unknown>, name: string): Releases {
  const files = (Array.isArray(answer.files) ? answer.files : []).map(asRecord).map((file) => ({
    filename: asText(file.filename) ?? "",
    yanked: file.yanked,
    published: asText(file["upload-time"]),
    requires: asText(file["requires-python"]),
  }));
  const versions = (Array.isArray(answer.versions) ? answer.versions : []).filter((version) =>
    typeof version === "string"
  );
  return fromFiles(files, { name, versions });
}

/** Reads the simple API as HTML (PEP 503), the only form that some mirrors have. */
function pypiPage(page: string, name: string): Releases {
  const link = /<a\b(?<attributes>[^>]{0,5000})>(?<text>[^<]{0,300})<\/a>/gi;
  const links = [...page.matchAll(link).take(MOST_LINKS + 1)];
  if (links.length > MOST_LINKS) throw new JobRefused(`its page has more than ${MOST_LINKS} links`);
  const files = links.map(({ groups }) => {
    const { attributes = "", text = "" } = groups ?? {};
    const read = (name: string) =>
      new RegExp(`\\b${name}\\s*=\\s*"(?<value>[^"]*)"`, "i").exec(attributes)?.groups?.value;
    const requires = read("data-requires-python")
      ?.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
    return { filename: text.trim(), yanked: read("data-yanked") ?? false, requires };
  });
  return fromFiles(files, { name, versions: [] });
}

function fromFiles(
  files: readonly PypiFile[],
  { name, versions }: { readonly name: string; readonly versions: readonly string[] },
): Releases {
  const byVersion = Map.groupBy(files, ({ filename }) => versionIn(filename, name) ?? "");
  const all = new Set([...versions, ...byVersion.keys()]);
  all.delete("");
  const releases = [...all].map((version) => {
    const own = byVersion.get(version) ?? [];
    const withdrawn = own.filter(({ yanked }) => typeof yanked === "string" || yanked === true);
    const reason = withdrawn.map(({ yanked }) => yanked).find((why) => asText(why));
    const yanked = own.length > 0 && withdrawn.length === own.length;
    const requires = own.find(({ requires }) => requires)?.requires;
    return {
      version,
      yanked,
      deprecated: yanked ? asText(reason)?.slice(0, 500) : undefined,
      published: own.flatMap(({ published }) => published ?? []).sort()[0],
      requires: requires && `python ${requires.slice(0, 100)}`,
    };
  });
  return { releases, tags: {} };
}

/** Version in the name of a file: `six-1.17.0-py3-none-any.whl`, `six-1.17.0.tar.gz`. */
function versionIn(filename: string, name: string): string | undefined {
  const wheel = /^[^-]+-(?<version>[^-]+)-.*\.whl$/i.exec(filename)?.groups?.version;
  if (wheel !== undefined) return wheel.replaceAll("_", "+");
  const bare = filename.replace(/\.(?:tar\.(?:gz|bz2|xz|Z)|tgz|zip)$/i, "");
  const stem = name.split(/[-_.]+/).map((part) => RegExp.escape(part)).join("[-_.]+");
  return bare === filename
    ? undefined
    : new RegExp(`^${stem}-(?<version>\\d.*)$`, "i").exec(bare)?.groups?.version;
}
