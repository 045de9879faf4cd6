import { EMAIL_LOG_STATUSES, type EmailLogStatus } from './email-log-transitions.js';
import { repetitionRefusal, type RepetitionRefusal } from './repetition.js';

const one = (status: EmailLogStatus, reissues = 0) => ({ status, reissues });

const OF_STATUS: Readonly<Record<EmailLogStatus, RepetitionRefusal | undefined>> = {
  queued: 'message_on_its_way',
  sending: 'message_on_its_way',
  sent: 'message_was_sent',
  failed: undefined,
  suppressed: 'message_not_failed',
  unknown: 'message_may_have_left',
  cancelled: 'message_not_failed',
};

test.each(EMAIL_LOG_STATUSES)('a message that is %s, and one whose repetition is', (status) => {
  expect(repetitionRefusal(one(status), [])).toBe(OF_STATUS[status]);
  expect(repetitionRefusal(one('failed'), [one('failed'), one(status)])).toBe(OF_STATUS[status]);
});

test('a message that failed and may have left before', () => {
  expect(repetitionRefusal(one('failed', 1), [])).toBe('message_may_have_left');
});

test('repetitions have an end', () => {
  expect(
    repetitionRefusal(
      one('failed'),
      Array.from({ length: 20 }, () => one('failed')),
    ),
  ).toBe('too_many_repetitions');
});
