// Numbers and times as people say them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (n: number | null | undefined): string => (n === null || n === undefined ? "–" : whole.format(n));

/** `1 person`, `3 people`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export const people = (n: number): string => plural(n, "person", "people");

/** A share of 1, with enough digits that a rare case is not shown as nothing. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || Number.isNaN(share)) return "–";
  const value = share * 100;
  if (value > 0 && value < 0.1) return "< 0.1%";
  if (value < 100 && value > 99.9) return "> 99.9%";
  return `${Number(value.toFixed(1))}%`;
}

/** A share on an axis, where rare cases have to stay apart. */
export const exactPercent = (share: number): string => `${Number((share * 100).toPrecision(3))}%`;

/** A measured number: four meaning digits, no noise behind them. */
export function measured(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (Number.isInteger(value)) return whole.format(value);
  const size = Math.abs(value);
  if (size >= 1000) return whole.format(value);
  if (size > 0 && size < 0.0001) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}

export function duration(seconds: number): string {
  if (seconds < 1) return "under a second";
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Between two durations, without saying the same twice. */
export function between(low: number, high: number): string {
  if (duration(low) === duration(high)) return duration(high);
  return low < 1 ? `up to ${duration(high)}` : `${duration(low)} to ${duration(high)}`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(1)} kB`;
  if (n < 1e9) return `${(n / 1e6).toFixed(1)} MB`;
  return `${(n / 1e9).toFixed(1)} GB`;
}

export function when(iso: string | null | undefined): string {
  if (!iso) return "";
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const same = date.toDateString() === new Date().toDateString();
  return same
    ? `today ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`
    : date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A column's name as words. */
export const inWords = (name: string): string => name.replaceAll("_", " ");
