/**
 * An allowance in a sliding window: a maximum in any interval of its length. Exact, since every use is stored until it
 * leaves the window; meant for small allowances, since it stores up to `most` uses.
 */

export interface Allowance {
  /** The name of the allowance, unique within a workspace. */
  readonly name: string;
  readonly most: number;
  /** Milliseconds of the product's clock. */
  readonly window: number;
}

/** The amount used at a time, in milliseconds. */
export interface AllowanceUse {
  readonly at: number;
  readonly amount: number;
}

export type AllowanceAnswer =
  | { readonly kind: 'granted'; readonly uses: readonly AllowanceUse[] }
  /** `retryAfter`: whole seconds until enough is free again. */
  | { readonly kind: 'refused'; readonly retryAfter: number };

/**
 * Uses part of the allowance, all or nothing.
 * @param uses previous uses, oldest first.
 * @param wanted 1 to `most`.
 * @param now in milliseconds.
 * @returns the uses to store, or when to retry.
 */
export function useOf(
  { most, window }: Allowance,
  uses: readonly AllowanceUse[],
  wanted: number,
  now: number,
): AllowanceAnswer {
  const recent = uses.filter(({ at }) => at + window > now);
  let left = most - recent.reduce((sum, { amount }) => sum + amount, 0);
  if (wanted <= left) return { kind: 'granted', uses: [...recent, { at: now, amount: wanted }] };
  let freeAt = now;
  for (const { at, amount } of recent) {
    left += amount;
    freeAt = at + window;
    if (wanted <= left) break;
  }
  return { kind: 'refused', retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1_000)) };
}
