import { productFaultOutcome, outcomeOf, statusAfter, type SendOutcome } from './send-outcome.js';

const again = (reissue: boolean): SendOutcome => ({
  kind: 'again',
  at: new Date(0),
  code: 'temporary',
  detail: '451',
  reissue,
});

test.each<[string, SendOutcome | undefined, number, 'failed' | 'unknown']>([
  ['went out', { kind: 'sent' }, 0, 'unknown'],
  ['may have gone out', { kind: 'unknown', detail: 'lost' }, 0, 'unknown'],
  ['may have gone out, and would have again', again(true), 0, 'unknown'],
  ['may have gone out at an earlier attempt', again(false), 1, 'unknown'],
  ['may have gone out before anything was attempted', undefined, 1, 'unknown'],
  ['was refused for now', again(false), 0, 'failed'],
  ['was refused', { kind: 'failed', code: 'rejected', detail: '550' }, 0, 'failed'],
  ['was not to be sent', { kind: 'suppressed', reason: 'unsubscribed' }, 0, 'failed'],
  ['was not attempted', undefined, 0, 'failed'],
])('a message that %s', (_case, outcome, reissues, kind) => {
  expect(productFaultOutcome(outcome, reissues, 'why')).toEqual({
    kind,
    detail: 'why',
    ...(kind === 'failed' ? { code: 'internal_error' } : {}),
  });
});

test('what is decided against a message is its outcome, and one that goes again is queued', () => {
  const suppressed = outcomeOf({ kind: 'suppress', reason: 'unsubscribed' });
  const failed = outcomeOf({ kind: 'fail', code: 'template_not_found', detail: 'gone' });
  expect([suppressed, failed]).toEqual([
    { kind: 'suppressed', reason: 'unsubscribed' },
    { kind: 'failed', code: 'template_not_found', detail: 'gone' },
  ]);
  expect([again(true), suppressed, failed, { kind: 'sent' } as const].map(statusAfter)).toEqual([
    'queued',
    'suppressed',
    'failed',
    'sent',
  ]);
});
