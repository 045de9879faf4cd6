/** Statistics of observed proportions: their confidence intervals, and whether two of them differ by chance. */

/** Standard deviations that hold 95% of a normal distribution. */
const Z_95 = 1.959963984540054;

export interface Share {
  readonly part: number;
  readonly whole: number;
}

/**
 * The 95% confidence interval of a proportion: Wilson's score interval (1927), without continuity correction; [0, 1]
 * for an empty sample.
 */
export function wilsonInterval({ part, whole }: Share): readonly [low: number, high: number] {
  if (whole <= 0) return [0, 1];
  const share = part / whole;
  const z2 = Z_95 ** 2;
  const center = share + z2 / (2 * whole);
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole ** 2));
  const scale = 1 + z2 / whole;
  return [Math.max(0, (center - spread) / scale), Math.min(1, (center + spread) / scale)];
}

/**
 * The probability that two proportions differ this much by chance alone: the two-sided z test of two proportions,
 * pooled. Null if there is nothing to compare; 1 if in both samples none or all succeeded.
 */
export function twoProportionPValue(one: Share, other: Share): number | null {
  if (one.whole <= 0 || other.whole <= 0) return null;
  const pooled = (one.part + other.part) / (one.whole + other.whole);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / one.whole + 1 / other.whole));
  if (deviation === 0) return 1;
  const z = Math.abs(one.part / one.whole - other.part / other.whole) / deviation;
  return z === 0 ? 1 : Math.min(1, 2 * upperTail(z));
}

/**
 * The upper tail of the normal distribution beyond `z`, which is not negative: Abramowitz and Stegun, 26.2.17 (to
 * 7.5e-8).
 */
export function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const series = factors.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
