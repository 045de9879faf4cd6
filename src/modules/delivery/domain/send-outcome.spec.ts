import { givenUp, type SendOutcome } from './send-outcome.js';

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
  expect(givenUp(outcome, reissues, 'why').kind).toBe(kind);
});
