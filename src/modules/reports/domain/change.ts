/** The change of metrics from one period to the next. */

type Totals = Readonly<Record<string, number | null>>;

/** Percent change with two decimals; null if the earlier value is 0, and if either was not measured. */
export function percentOfChange(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0
    ? null
    : Math.round(((now - before) * 10_000) / Math.abs(before)) / 100;
}

export function changeOf(now: Totals, before: Totals): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(now).map(([key, value]) => [key, percentOfChange(value, before[key] ?? null)]),
  );
}
