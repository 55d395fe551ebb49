/** Current sources of a pack and their description: cached, type-checked, or asked of its process. */

import { abortable, type Log, messageOf } from "#base";
import type { ToolSpec } from "../../types.ts";
import { type PackContents, readContents, stampOf } from "./contents.ts";
import { describePack, type DescribePackDeps } from "./describe_pack.ts";
import {
  descriptionFile,
  readDescription,
  readTools,
  writeDescription,
} from "./description_cache.ts";
import { PackUnusable } from "../failure.ts";
import { type PackHeader, readHeader } from "./header.ts";
import { placesOf } from "../process/launch.ts";
import type { OpenDeps } from "../process/open_worker.ts";
import { allow } from "../process/permissions.ts";
import type {
  ArgumentForm,
  PackDescription,
  PackFile,
  PackFinding,
  PackSettings,
} from "../types.ts";
import { watchFolder } from "../discover/watch_folder.ts";

export interface PackSourceDeps extends DescribePackDeps, OpenDeps {
  readonly log: Log;
  /** Called when the description or a problem has changed. */
  readonly onChange: () => void;
  /** Returns true for a file that runs in no state: its folder is not read. */
  readonly isForeign?: (file: PackFile) => boolean;
  /** Returns true for a file that may run in its current state; without it, all may. */
  readonly trusts?: (file: PackFile) => boolean;
  /** The same before a call, for less: the answer may be two seconds old. */
  readonly stillTrusts?: (file: PackFile) => Promise<boolean>;
}

export interface PackSourceOptions {
  readonly settings: PackSettings;
  readonly deps: PackSourceDeps;
  /** Called when the sources have changed. */
  readonly onReplaced: () => void;
  /** Called when the sources are no longer trusted. */
  readonly onDistrusted: () => void;
  /** Starts the pack's process, which then describes the pack. */
  readonly ask: (signal: AbortSignal) => Promise<void>;
}

export class PackSource implements AsyncDisposable {
  readonly #file: PackFile;
  readonly #options: PackSourceOptions;
  readonly #end = new AbortController();
  #contents: PackContents | undefined;
  #isTrusted = true;
  #header: PackHeader | undefined;
  #headerFindings: readonly PackFinding[] = [];
  /** Description of the current sources, or of the last ones until the new is read. */
  #description: PackDescription | undefined;
  #isCurrent = false;
  #specs: readonly ToolSpec[] = [];
  #failure: PackUnusable | undefined;
  #describing: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #watching: Disposable | undefined;

  constructor(file: PackFile, options: PackSourceOptions) {
    this.#file = file;
    this.#options = options;
    if (options.settings.enabled) this.#look();
  }

  /** False while the files differ from the trusted ones. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  get header(): PackHeader | undefined {
    return this.#header;
  }

  get specs(): readonly ToolSpec[] {
    return this.#specs;
  }

  get isDescribed(): boolean {
    return this.#description !== undefined;
  }

  get phrase(): string | null {
    if (this.#failure) return this.#failure.phrase;
    return this.#broken ? "cannot be loaded" : null;
  }

  get findings(): readonly PackFinding[] {
    const { file } = this.#file;
    const failed: PackFinding[] = [];
    if (this.#failure) {
      const { message, line, fix } = this.#failure;
      failed.push({ severity: "error", message, file, line, fix });
    }
    return [
      ...this.#headerFindings,
      ...this.#description?.findings ?? [],
      ...this.#missing(),
      ...failed,
    ];
  }

  get problem(): string | null {
    const finding = this.#failure ? this.findings.at(-1) : this.#broken;
    if (!finding) return null;
    const { message, file, line, fix } = finding;
    return `${file}${line === undefined ? "" : `:${line}`}: ${message}${fix ? `: ${fix}` : ""}`;
  }

  formOf(tool: string): ArgumentForm | undefined {
    return this.#description?.tools.find(({ spec }) => spec.name === tool)?.form;
  }

  start(): void {
    this.#watching ??= watchFolder(this.#file.folder, () => {
      this.checkTrust();
      this.#lookAgain(true);
    });
    if (!this.#isTrusted) this.#look();
    void this.settle();
  }

  /** Resolves when the pack is described, or cannot be. */
  async settle(): Promise<void> {
    if (!this.#isCurrent && !this.#failure && this.#isTrusted) await this.#describe();
  }

  /** Compares the files with the trusted ones; changed files do not run. */
  checkTrust(): boolean {
    const isTrusted = this.#options.deps.trusts?.(this.#file) ?? true;
    if (!isTrusted) this.#distrust();
    return isTrusted;
  }

  #distrust(): void {
    const { deps, onDistrusted } = this.#options;
    if (!this.#isTrusted) return;
    this.#isTrusted = false;
    this.#contents = this.#description = undefined;
    this.#failure = this.#header = undefined;
    this.#specs = [];
    this.#isCurrent = false;
    onDistrusted();
    deps.onChange();
  }

  /** Resolves when the current files are described. Throws `PackUnusable`. */
  async current(signal: AbortSignal): Promise<void> {
    const still = this.#options.deps.stillTrusts?.(this.#file);
    if (still && !await abortable(still, signal)) this.#distrust();
    else this.#lookAgain();
    if (!this.#isTrusted) return;
    if (!this.#isCurrent && !this.#failure) await abortable(this.#describe(), signal);
    const broken = this.#broken;
    // Files with checker errors do not start; a failed start is tried again.
    if (broken) {
      const { message, line, fix } = broken;
      throw new PackUnusable(message, { phrase: "cannot be loaded", line, fix });
    }
  }

  /** Takes the description from the process of a Python pack, and clears the last failure. */
  opened(tools: readonly unknown[]): void {
    const had = this.#failure;
    this.#failure = undefined;
    if (this.#file.language === "python") this.#take({ tools: readTools(tools), findings: [] });
    else if (had) {
      this.#options.deps.onChange();
      void this.settle();
    }
  }

  failed(failure: PackUnusable): void {
    this.#failure = failure;
    const { name, file } = this.#file;
    const facts = { pack: name, file, line: failure.line, reason: failure.message };
    this.#options.deps.log("warning", "Cannot load a pack", facts);
    this.#options.deps.onChange();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#watching?.[Symbol.dispose]();
    await this.#describing;
    await this.#saving;
  }

  /** Finding that makes the whole pack unusable. */
  get #broken(): PackFinding | undefined {
    if (this.#description?.tools.length) return undefined;
    return this.#description?.findings.find(({ severity }) => severity === "error");
  }

  #lookAgain(isChanged = false): void {
    this.#look(isChanged);
    if (!this.#end.signal.aborted) void this.settle();
  }

  /** Reads the current files. A look at their stamps alone would miss a new file. */
  #look(isChanged = false): void {
    if (this.#options.deps.isForeign?.(this.#file)) return this.#distrust();
    try {
      const { files, stamp } = this.#contents ?? {};
      if (!isChanged && files && stamp === stampOf(this.#file, files.keys())) return;
      const contents = readContents(this.#file);
      // The contents are used only if they are the trusted ones.
      if (!this.checkTrust()) return;
      if (contents.hash !== this.#contents?.hash) this.#replace(contents);
      else this.#contents = contents;
    } catch (error) {
      const message = messageOf(error);
      this.#failure = new PackUnusable(message, { phrase: "cannot be read", cause: error });
    }
  }

  #replace(contents: PackContents): void {
    const first = this.#contents === undefined && this.#isTrusted;
    this.#isTrusted = true;
    const { file, language } = this.#file;
    const read = readHeader(contents.text, { language, file });
    this.#contents = contents;
    this.#header = read.header;
    this.#headerFindings = read.findings;
    this.#failure = undefined;
    const cached = readDescription(this.#cacheFile(contents));
    this.#isCurrent = cached !== undefined;
    if (cached) this.#know(cached);
    if (first) return;
    this.#options.onReplaced();
    this.#options.deps.onChange();
  }

  #describe(): Promise<void> {
    return this.#describing ??= this.#find().finally(() => {
      this.#describing = undefined;
      this.#options.deps.onChange();
    });
  }

  async #find(): Promise<void> {
    const contents = this.#contents;
    const { signal } = this.#end;
    if (!contents) return;
    const isCurrent = () => this.#contents?.hash === contents.hash;
    try {
      if (this.#file.language === "python") return await this.#options.ask(signal);
      const about = { file: this.#file, contents, header: this.#header };
      const description = await describePack(about, { deps: this.#options.deps, signal });
      if (isCurrent()) this.#take(description);
    } catch (error) {
      // A failed load is reported where it failed.
      if (error instanceof PackUnusable || signal.aborted) return;
      const failure = { phrase: "cannot be described", cause: error };
      if (isCurrent()) this.failed(new PackUnusable(String(error), failure));
    }
    if (!isCurrent() && !signal.aborted) await this.#find();
  }

  #know(description: PackDescription): void {
    this.#isCurrent = true;
    this.#description = description;
    this.#specs = description.tools.map(({ spec }) => spec);
  }

  #take(description: PackDescription): void {
    this.#know(description);
    const { log, onChange } = this.#options.deps;
    for (const { message, file, line } of this.findings) {
      log("warning", message, { pack: this.#file.name, file, line });
    }
    if (this.#contents) {
      this.#saving = writeDescription(this.#cacheFile(this.#contents), description, log);
    }
    onChange();
  }

  #cacheFile({ hash }: PackContents): string {
    return descriptionFile(this.#options.deps.cacheDir, hash);
  }

  #missing(): PackFinding[] {
    const { deps, settings } = this.#options;
    const { file, name, language } = this.#file;
    if (language !== "typescript") return [];
    const places = placesOf(this.#file, deps);
    const { missing } = allow(this.#header?.permissions ?? {}, settings.granted, places);
    if (missing.length === 0) return [];
    const message = `Not granted: ${missing.join(", ")}`;
    return [{ severity: "warning", message, file, fix: `Grant it in packs.${name}.permissions` }];
  }
}
