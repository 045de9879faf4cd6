/** Generates the random actions of a rollup story. */
import fc from 'fast-check';
import { DAY, HOUR } from '../support/clock.js';

/** Milliseconds since 1970. */
export const START = Date.UTC(2026, 1, 27, 20);

export interface Act {
  readonly kind: (typeof KINDS)[number];
  /** Tenant, row and variant of the action, each modulo the number of choices. */
  readonly tenant: number;
  readonly which: number;
  readonly choice: number;
  /** Milliseconds after START; some are at the boundaries of hours and days. */
  readonly moment: number;
  readonly isUndone: boolean;
}

const KINDS = [
  'mail',
  'word',
  'forgetMail',
  'trip',
  'tripGoesOn',
  'conversion',
  'forgetTrip',
  'step',
  'event',
  'forgetEvent',
  'contact',
  'turn',
  'fold',
  'rebuild',
] as const;

export const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...KINDS),
  tenant: fc.nat(3),
  which: fc.nat(1_000),
  choice: fc.nat(1_000),
  moment: fc.oneof(
    fc.constantFrom(0, HOUR),
    fc.integer({ min: -3 * DAY, max: 3 * DAY }),
    fc.integer({ min: -70, max: 70 }).map((hour) => hour * HOUR),
    fc.integer({ min: -70, max: 70 }).map((hour) => hour * HOUR - 1),
  ),
  isUndone: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
