/** Tests which steps cause warnings when a flow is activated. */
import { internalSpelling, snakeCase } from '../../../kernel/letter-case.js';
import type { Step } from './step.js';
import { stepWarnings } from './step-warnings.js';

const send = (sendToUnsubscribed?: boolean): Step => ({
  id: 1,
  type: 'send_email',
  templateSlug: 'receipt',
  ...(sendToUnsubscribed === undefined ? {} : { emailSendSettings: { sendToUnsubscribed } }),
});
const wait = { id: 2, type: 'wait', duration: '1d' } as Step;
const pathsOf = (contentType: 'transactional' | 'promotional', ...steps: Step[]): string[] =>
  stepWarnings({ contentType, steps }, snakeCase).map(({ path }) => path);

test('each send step of a transactional flow that leaves out who has unsubscribed', () => {
  expect(pathsOf('transactional', send(), wait, send(true), send(false))).toEqual(['steps[0]', 'steps[3]']);
});

test('no step of a promotional flow, and no other step', () => {
  expect(pathsOf('promotional', send(), send(false))).toEqual([]);
  expect(pathsOf('transactional', wait)).toEqual([]);
});

test('names the setting as its reader writes it', () => {
  const flow = { contentType: 'transactional', steps: [send()] } as const;
  expect(stepWarnings(flow, snakeCase)[0]?.message).toContain('email_send_settings.send_to_unsubscribed');
  expect(stepWarnings(flow, internalSpelling)[0]?.message).toContain('emailSendSettings.sendToUnsubscribed');
});

test('at most 100', () => {
  expect(pathsOf('transactional', ...Array.from({ length: 150 }, () => send()))).toHaveLength(100);
});
