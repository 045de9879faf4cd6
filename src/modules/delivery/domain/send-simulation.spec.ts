/** Rehearsed outcomes of messages. Gates and decisions have tests of their own; these cover the state in memory. */
import { HOUR } from '../../../kernel/duration.js';
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { NO_PREFERENCES } from '../../preferences/domain/preferences.js';
import { SendSimulation, type SendSimulationInputs, type SendSimulationMessage } from './send-simulation.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const at = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);
const COMPANY = {
  name: 'Acme',
  addressLine1: '1 Main St',
  city: 'Springfield',
  postalCode: '1',
  country: 'US',
};
const FACTS: SendSimulationInputs = {
  environment: 'live',
  contentType: 'transactional',
  workspace: {
    name: 'Acme',
    status: 'active',
    liveAt: new Date(0),
    company: COMPANY,
    sender: { fromEmail: 'hello@acme.test' },
    settings: { frequencyCap: { max: 1, periodHours: 24 } },
  },
  templates: new Map([['hello', { isActive: true, hasErrors: false, unresolvedPlaceholder: false }]]),
  topics: new Map([['hello', { key: 'news', isSubscribedByDefault: true }]]),
  throttle: null,
  domains: { shared: 'mail.test', own: () => undefined },
};

let number = 0;
function message(
  contactId: string,
  settings: Partial<EmailSendSettings> = {},
  more: Partial<SendSimulationMessage> = {},
): SendSimulationMessage {
  return {
    number: ++number,
    templateSlug: 'hello',
    options: { emailSendSettings: settings },
    contact: { id: contactId, email: 'a@b.test', subscriptionStatus: 'subscribed', timezone: null },
    hasRefused: false,
    suppressedFor: null,
    preferences: NO_PREFERENCES,
    ...more,
  };
}

const rehearsal = (facts: Partial<SendSimulationInputs> = {}): SendSimulation<SendSimulationMessage> =>
  new SendSimulation({ ...FACTS, ...facts });

test.each([
  ['what nothing stands against', message('a'), { kind: 'sent' }],
  ['who refused', message('a', {}, { hasRefused: true }), { kind: 'suppressed', reason: 'unsubscribed' }],
  [
    'no template',
    message('a', {}, { templateSlug: 'gone' }),
    { kind: 'failed', reason: 'template_not_found' },
  ],
  [
    'a window that opens later',
    message('a', { sendWindowEnabled: true, sendWindowStart: '12:00', sendWindowEnd: '13:00' }),
    { kind: 'wait', gate: 'send_window', until: at(3) },
  ],
])('%s', (_, asked, fate) => {
  expect(rehearsal().attempt(asked, NOW)).toEqual(fate);
});

test('a cap counts what went out and counts, of the same contact, within its period', () => {
  const sending = rehearsal();
  const counted = (contactId: string): SendSimulationMessage =>
    message(contactId, { ignoreFrequencyCapping: false, countForFrequencyCapping: true });
  const capped = { kind: 'suppressed', reason: 'frequency_cap' };
  expect(sending.attempt(message('a', { ignoreFrequencyCapping: false }), NOW)).toEqual({ kind: 'sent' });
  expect(sending.attempt(counted('a'), NOW)).toEqual({ kind: 'sent' });
  expect(sending.attempt(counted('a'), at(23))).toEqual(capped);
  expect(sending.attempt(counted('b'), at(23))).toEqual({ kind: 'sent' });
  expect(sending.attempt(counted('a'), at(24))).toEqual({ kind: 'sent' });
});

test('a throttle lets messages go in their order, as slots become free', () => {
  const sending = rehearsal({ throttle: { limit: 2, period: 'hour' } });
  const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map(() => message('a'));
  if (!first || !second || !third || !fourth || !fifth) throw new Error('Five were made.');
  expect(sending.attempt(first, NOW)).toEqual({ kind: 'sent' });
  expect(sending.attempt(second, at(0.5))).toEqual({ kind: 'sent' });
  // The later message is checked first, and still goes after the earlier one.
  expect(sending.attempt(fifth, at(0.6))).toEqual({ kind: 'in_line' });
  expect(sending.attempt(third, at(0.6))).toEqual({ kind: 'in_line' });
  expect(sending.attempt(fourth, at(0.7))).toEqual({ kind: 'in_line' });
  expect(sending.opensAt(at(0.7))).toEqual(at(1));
  expect([...sending.release(at(0.9))]).toEqual([]);
  expect([...sending.release(at(1))]).toEqual([[third, { kind: 'sent' }]]);
  sending.cancel(fourth);
  expect(sending.opensAt(at(1))).toEqual(at(1.5));
  expect([...sending.release(at(1.5))]).toEqual([[fifth, { kind: 'sent' }]]);
  expect(sending.opensAt(at(1.5))).toBeUndefined();
});

test('a message that is not sent after all leaves its slot to the next', () => {
  const sending = rehearsal({ throttle: { limit: 1, period: 'hour' } });
  const [first, refused, next] = [message('a'), message('b', {}, { hasRefused: true }), message('c')];
  sending.attempt(first, NOW);
  for (const one of [refused, next]) expect(sending.attempt(one, NOW)).toEqual({ kind: 'in_line' });
  expect([...sending.release(at(1))]).toEqual([
    [refused, { kind: 'suppressed', reason: 'unsubscribed' }],
    [next, { kind: 'sent' }],
  ]);
});

test('what a contact has chosen stands against promotional mail, as the moment has it', () => {
  const asked = rehearsal({ contentType: 'promotional' });
  const paused = { preferences: { choices: {}, pausedUntil: at(1) } };
  expect(asked.attempt(message('a', {}, paused), NOW)).toEqual({ kind: 'suppressed', reason: 'paused' });
  expect(asked.attempt(message('a', {}, paused), at(1))).toEqual({ kind: 'sent' });
  const refused = { preferences: { choices: { news: false }, pausedUntil: null } };
  const against = { kind: 'suppressed', reason: 'unsubscribed_topic' };
  expect(asked.attempt(message('a', {}, refused), NOW)).toEqual(against);
  expect(rehearsal().attempt(message('a', {}, refused), NOW)).toEqual({ kind: 'sent' });
});
