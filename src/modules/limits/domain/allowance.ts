/**
 * An allowance by a window that slides: at most so many in any stretch of its length. Exact, since every use is kept
 * until it has left the window; meant for small allowances, that many uses at most.
 */

export interface Allowance {
  /** Names the allowance among a workspace's. */
  readonly name: string;
  readonly most: number;
  /** Milliseconds of the product's clock. */
  readonly window: number;
}

/** So many were used at that time, in milliseconds. */
export interface AllowanceUse {
  readonly at: number;
  readonly amount: number;
}

export type AllowanceAnswer =
  | { readonly kind: 'granted'; readonly uses: readonly AllowanceUse[] }
  /** `retryAfter`: whole seconds until so many are free again. */
  | { readonly kind: 'refused'; readonly retryAfter: number };

/**
 * Uses so many of the allowance, all or none.
 * @param uses what was used before, the oldest first.
 * @param wanted 1 to `most`.
 * @param now in milliseconds.
 * @returns the uses to be kept, or when to come again.
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
