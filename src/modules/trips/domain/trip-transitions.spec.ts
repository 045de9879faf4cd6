import fc from 'fast-check';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import { advance } from './advance.js';
import { NOTHING_KNOWN } from '../../../../test/support/trip-facts.js';
import { stateAfter } from './trip-state-update.js';
import {
  DECIDED_STATUSES,
  IN_FLIGHT_STATUSES,
  statusesBefore,
  TRIP_TRANSITIONS,
} from './trip-transitions.js';
import { runs } from '../../../../test/support/test-scope.js';

const now = new Date('2026-03-02T09:00:00Z');

test('a trip is in flight until it is completed, terminated or failed, and then nothing becomes of it', () => {
  expect(IN_FLIGHT_STATUSES).toEqual(['active', 'paused', 'awaiting_send']);
  for (const over of ['completed', 'terminated', 'failed'] as const)
    expect(TRIP_TRANSITIONS[over]).toEqual([]);
});

test('a trip in flight may be terminated, whatever it waits for; one that is over may not', () =>
  expect(statusesBefore('terminated')).toEqual(IN_FLIGHT_STATUSES));

test('only a trip that waits for a message is woken by its fate', () =>
  expect(statusesBefore('active')).toEqual(['awaiting_send']));

test('whatever the engine decides is a state that a trip may come to', () => {
  const step = fc.oneof(
    fc.record({
      type: fc.constant('wait' as const),
      duration: fc.constantFrom('36h', '2d', 'nonsense'),
    }),
    fc.record({ type: fc.constant('send_email' as const), templateSlug: fc.constant('hello') }),
    fc.record({ type: fc.constant('update_contact' as const), set: fc.constant({ locale: 'de' }) }),
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.option(fc.array(step, { maxLength: 4 }), { nil: undefined }),
      fc.nat(4),
      fc.constantFrom('present' as const, 'deleted' as const, 'missing' as const),
      (steps, lastStep, contactStatus) => {
        const known = { ...NOTHING_KNOWN, steps: steps && assignStepIds(steps), contactStatus };
        const { status } = stateAfter(advance({ id: 'a trip', lastStep }, known, now).decision, now);
        seen.add(status);
        expect(DECIDED_STATUSES).toContain(status);
        expect(statusesBefore(status)).toEqual(expect.arrayContaining(['active', 'paused']));
      },
    ),
    { numRuns: runs(1_000) },
  );
  expect([...seen].sort()).toEqual([...DECIDED_STATUSES].sort());
});
