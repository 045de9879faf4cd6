/**
 * An allowance in a sliding window: a maximum in any interval of its length. Exact, since every use is stored until it
 * leaves the window; meant for small allowances, since it stores up to `limit` uses.
 */

export interface Allowance {
  /** The name of the allowance, unique within a workspace. */
  readonly name: string;
  readonly limit: number;
  /** Milliseconds of the product's clock. */
  readonly windowMs: number;
}

/** The amount used at a time, in milliseconds. */
export interface AllowanceUse {
  readonly at: number;
  readonly amount: number;
}

export type AllowanceResult =
  | { readonly kind: 'granted'; readonly uses: readonly AllowanceUse[] }
  /** `retryAfter`: whole seconds until enough is free again. */
  | { readonly kind: 'refused'; readonly retryAfter: number };

/**
 * Uses part of the allowance, all or nothing.
 * @param uses previous uses, oldest first.
 * @param requested 1 to `limit`.
 * @param now in milliseconds.
 * @returns the uses to store, or when to retry.
 */
export function useAllowance(
  { limit, windowMs }: Allowance,
  uses: readonly AllowanceUse[],
  requested: number,
  now: number,
): AllowanceResult {
  const recent = uses.filter(({ at }) => at + windowMs > now);
  let left = limit - recent.reduce((sum, { amount }) => sum + amount, 0);
  if (requested <= left) return { kind: 'granted', uses: [...recent, { at: now, amount: requested }] };
  let freesAt = now;
  for (const { at, amount } of recent) {
    left += amount;
    freesAt = at + windowMs;
    if (requested <= left) break;
  }
  return { kind: 'refused', retryAfter: Math.max(1, Math.ceil((freesAt - now) / 1_000)) };
}
