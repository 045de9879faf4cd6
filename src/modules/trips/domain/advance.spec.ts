import fc from 'fast-check';
import type { Step } from '../../flows/domain/step.js';
import { advance } from './advance.js';
import { stateAfter } from './trip-state.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const send: Step = { type: 'send_email', templateSlug: 'hi' };
const wait: Step = { type: 'wait', duration: '2d' };
const set: Step = { type: 'update_contact', set: { plan: 'pro' } };
const facts = (steps: readonly Step[]): { steps: readonly Step[]; contactExists: true } => ({
  steps,
  contactExists: true,
});

describe('advance', () => {
  test.each<[string, readonly Step[], number, object, number]>([
    ['no step at all', [], 0, { kind: 'complete', step: 0, reason: 'finished' }, 0],
    ['beyond the last step', [send], 1, { kind: 'complete', step: 1, reason: 'finished' }, 0],
    ['a message', [send, wait], 0, { kind: 'send', step: 1, sendStep: 0, message: send }, 0],
    ['a wait', [send, wait], 1, { kind: 'park', step: 2, resumeAt: new Date('2026-03-04T09:00:00.000Z') }, 0],
    ['an update, to the end', [set], 0, { kind: 'complete', step: 1, reason: 'finished' }, 1],
    [
      'updates on the way to a message',
      [set, set, send],
      0,
      { kind: 'send', step: 3, sendStep: 2, message: send },
      2,
    ],
    [
      'only the updates that are still ahead',
      [set, wait, set, wait],
      2,
      { kind: 'park', step: 4, resumeAt: new Date('2026-03-04T09:00:00.000Z') },
      1,
    ],
    [
      'a wait that no release understands',
      [{ type: 'wait', duration: 'soon' }],
      0,
      { kind: 'fail', step: 0, reason: 'invalid_step' },
      0,
    ],
  ])('%s', (_, steps, from, decision, updates) => {
    const outcome = advance(from, facts(steps), NOW);
    expect(outcome.decision).toEqual(decision);
    expect(outcome.contactUpdates).toHaveLength(updates);
  });

  test('a flow version that is gone, or a contact that is, ends the trip with its reason', () => {
    expect(advance(0, { steps: undefined, contactExists: true }, NOW).decision).toMatchObject({
      kind: 'fail',
      reason: 'definition_missing',
    });
    expect(advance(0, { steps: [send], contactExists: false }, NOW).decision).toMatchObject({
      kind: 'fail',
      reason: 'contact_missing',
    });
  });

  const step = fc.constantFrom(send, wait, set);

  test('a walk from decision to decision takes every step once, in order, and ends', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const seen: Step[] = [];
        let at = 0;
        for (;;) {
          const { decision, contactUpdates } = advance(at, facts(steps), NOW);
          seen.push(...contactUpdates.map(() => set));
          if (decision.kind === 'complete' || decision.kind === 'fail') break;
          seen.push(decision.kind === 'send' ? send : wait);
          expect(decision.step).toBeGreaterThan(at);
          at = decision.step;
        }
        expect(seen).toEqual(steps);
      }),
    );
  });

  test('it is a function of its arguments alone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.nat(10), (steps, from) => {
        expect(advance(from, facts(steps), NOW)).toEqual(advance(from, facts(steps), NOW));
      }),
    );
  });
});

describe('stateAfter', () => {
  const resumeAt = new Date('2026-03-04T09:00:00.000Z');
  test.each([
    [
      { kind: 'park', step: 2, resumeAt } as const,
      { status: 'paused', step: 2, resumeAt, completedAt: null, endedReason: null },
    ],
    [
      { kind: 'send', step: 1, sendStep: 0, message: { type: 'send_email', templateSlug: 'hi' } } as const,
      { status: 'awaiting_send', step: 1, resumeAt: null, completedAt: null, endedReason: null },
    ],
    [
      { kind: 'complete', step: 3, reason: 'finished' } as const,
      { status: 'completed', step: 3, resumeAt: null, completedAt: NOW, endedReason: 'finished' },
    ],
    [
      { kind: 'fail', step: 0, reason: 'contact_missing' } as const,
      { status: 'failed', step: 0, resumeAt: null, completedAt: NOW, endedReason: 'contact_missing' },
    ],
  ])('$kind', (decision, state) => {
    expect(stateAfter(decision, NOW)).toEqual(state);
  });
});
