/** Numbers and times as a person reads them. */

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1_000]] as const;
const SIZES = ["B", "kB", "MB", "GB", "TB"];

/** `12,345`. */
export function whole(value: number): string {
  return WHOLE.format(Math.round(value));
}

/** `12.3K`. */
export function short(value: number): string {
  return SHORT.format(value);
}

/** `1.5 s`, `12 ms`. */
export function duration(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  if (!unit) return `${ms >= 10 || ms === 0 ? Math.round(ms) : ms.toFixed(1)} ms`;
  const value = ms / unit[1];
  return `${value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${unit[0]}`;
}

/** `1.5 kB`. */
export function size(bytes: number): string {
  const at = Math.min(
    SIZES.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${Number((bytes / 1_000 ** at).toPrecision(3))} ${SIZES[at]}`;
}

/** `98.5 %`. */
export function percent(value: number): string {
  return `${value} %`;
}
