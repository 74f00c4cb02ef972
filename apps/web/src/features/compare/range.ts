/** All values from start to end, without the rounding errors of adding decimals. */
export function steps(from: number, to: number, step: number): number[] {
  if (!(step > 0) || !(to >= from) || ![from, to, step].every(Number.isFinite)) return [];
  const digits = Math.max(...[from, step].map((n) => (String(n).split(".")[1] ?? "").length));
  const values: number[] = [];
  for (let i = 0; i < 1000; i += 1) {
    const value = Number((from + i * step).toFixed(digits));
    if (value > to + step * 1e-9) break;
    values.push(value);
  }
  return values;
}
