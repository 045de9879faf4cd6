import { EMAIL_LOG_STATUSES, EMAIL_LOG_TRANSITIONS, isSettled, mayBecome } from './email-log-transitions.js';

describe('the states of a message', () => {
  test('every state can be reached from queued', () => {
    const reached = new Set<string>(['queued']);
    for (const status of reached)
      for (const next of EMAIL_LOG_TRANSITIONS[status as 'queued']) reached.add(next);
    expect([...reached].sort()).toEqual([
      'cancelled',
      'failed',
      'queued',
      'sending',
      'sent',
      'suppressed',
      'unknown',
    ]);
  });

  test.each([
    ['queued', 'sending', true],
    ['queued', 'unknown', true],
    ['sending', 'cancelled', true],
    ['unknown', 'queued', true],
    ['unknown', 'sending', false],
    ['sent', 'queued', false],
    ['failed', 'queued', true],
    ['failed', 'sent', false],
  ] as const)('%s → %s: %s', (from, to, expected) => {
    expect(mayBecome(from, to)).toBe(expected);
  });

  test('only queued and sending are not settled', () => {
    expect(EMAIL_LOG_STATUSES.filter((status) => !isSettled(status))).toEqual(['queued', 'sending']);
  });
});
