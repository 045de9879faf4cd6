import { type Allowance, type AllowanceUse, useAllowance } from './allowance.js';

const ALLOWANCE: Allowance = { name: 'mails', limit: 10, windowMs: 1_000_000 };

describe('useAllowance', () => {
  it('grants up to the most, to the last one', () => {
    const first = useAllowance(ALLOWANCE, [], 7, 5);
    expect(first).toEqual({ kind: 'granted', uses: [{ at: 5, amount: 7 }] });
    expect(useAllowance(ALLOWANCE, [{ at: 5, amount: 7 }], 3, 6)).toMatchObject({ kind: 'granted' });
    expect(useAllowance(ALLOWANCE, [{ at: 5, amount: 7 }], 4, 6)).toMatchObject({ kind: 'refused' });
  });

  it('slides: a use is free again a window after it, and is kept no longer', () => {
    const uses: AllowanceUse[] = [
      { at: 0, amount: 6 },
      { at: 400_000, amount: 4 },
    ];
    expect(useAllowance(ALLOWANCE, uses, 6, 999_999)).toEqual({ kind: 'refused', retryAfter: 1 });
    expect(useAllowance(ALLOWANCE, uses, 6, 1_000_000)).toEqual({
      kind: 'granted',
      uses: [
        { at: 400_000, amount: 4 },
        { at: 1_000_000, amount: 6 },
      ],
    });
  });

  it('says when as many are free as are wanted', () => {
    const uses: AllowanceUse[] = [
      { at: 0, amount: 6 },
      { at: 400_000, amount: 4 },
    ];
    expect(useAllowance(ALLOWANCE, uses, 5, 600_000)).toEqual({ kind: 'refused', retryAfter: 400 });
    expect(useAllowance(ALLOWANCE, uses, 7, 600_000)).toEqual({ kind: 'refused', retryAfter: 800 });
  });
});
