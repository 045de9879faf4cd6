/** Email metrics: the terms of section 6.2. Each message counts at most once per metric. */
import { CONTENT_TYPES } from '../../../../kernel/email-settings.js';
import {
  type Balance,
  countMetric,
  DATE,
  DAY_OF_WEEK,
  HOUR_OF_DAY,
  withMeasurement,
  MONTH,
  namedDimension,
  rateMetric,
  type Source,
  textDimension,
  WEEK,
} from './source.js';

/** A bounced message could not be read. */
const NOT_BOUNCED: Balance = { plus: ['sent'], minus: ['bounced'] };

export const EMAIL_STATUSES = ['sent', 'suppressed', 'failed'] as const;
export const EMAIL_ORIGINS = ['flow', 'campaign', 'direct'] as const;

export const EMAIL_SOURCE: Source = {
  key: 'email_logs',
  label: 'Emails',
  description:
    'Messages sent, suppressed or failed, dated when that was decided. Opens, clicks and other reactions count on ' +
    'the date the message was sent. Test sends and Waypost’s own notices are excluded.',
  metrics: [
    countMetric('sent', 'Sent', 'Messages accepted by a mail server.', 'messages', ['sent']),
    withMeasurement(
      countMetric('delivered', 'Delivered', 'Sent messages that the provider reported as delivered.'),
      'deliveries',
      { plus: ['sent'] },
    ),
    withMeasurement(
      countMetric(
        'opened',
        'Opened',
        'Sent messages that a person opened or clicked. Opens by machines are excluded.',
      ),
      'opens',
      NOT_BOUNCED,
    ),
    withMeasurement(
      countMetric(
        'clicked',
        'Clicked',
        'Sent messages in which a person clicked a link. Clicks by machines are excluded.',
      ),
      'clicks',
      NOT_BOUNCED,
    ),
    countMetric(
      'bounced',
      'Bounced',
      'Sent messages that bounced. A message delivered after a soft bounce does not count.',
    ),
    countMetric('complained', 'Complained', 'Sent messages that recipients reported as spam.'),
    countMetric('unsubscribed', 'Unsubscribed', 'Sent messages whose link was used to unsubscribe.'),
    countMetric(
      'suppressed',
      'Suppressed',
      'Messages not sent for a reason, such as an opt-out, a suppressed address or a cap.',
      'messages',
      ['suppressed'],
    ),
    countMetric(
      'failed',
      'Failed',
      'Messages not sent because of an error, such as a rejection or a template that cannot be rendered.',
      'messages',
      ['failed'],
    ),
    withMeasurement(
      rateMetric(
        'open_rate',
        'Open rate',
        'Opened, as a percentage of sent messages that did not bounce.',
        'opened',
        NOT_BOUNCED,
      ),
      'opens',
      NOT_BOUNCED,
    ),
    withMeasurement(
      rateMetric(
        'click_rate',
        'Click rate',
        'Clicked, as a percentage of sent messages that did not bounce.',
        'clicked',
        NOT_BOUNCED,
      ),
      'clicks',
      NOT_BOUNCED,
    ),
    withMeasurement(
      rateMetric(
        'click_to_open_rate',
        'Click-to-open rate',
        'Clicked, as a percentage of opened.',
        'clicked',
        {
          plus: ['opened'],
        },
      ),
      'opens_and_clicks',
      NOT_BOUNCED,
    ),
    rateMetric('bounce_rate', 'Bounce rate', 'Bounced, as a percentage of sent.', 'bounced', {
      plus: ['sent'],
    }),
    rateMetric(
      'complaint_rate',
      'Complaint rate',
      'Complained, as a percentage of sent messages that did not bounce.',
      'complained',
      NOT_BOUNCED,
    ),
    rateMetric(
      'unsubscribe_rate',
      'Unsubscribe rate',
      'Unsubscribed, as a percentage of sent messages that did not bounce.',
      'unsubscribed',
      NOT_BOUNCED,
    ),
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    HOUR_OF_DAY,
    DAY_OF_WEEK,
    namedDimension('flow', 'Flow', 'The flow that sent the message. Null if none did.'),
    namedDimension('campaign', 'Campaign', 'The campaign that sent the message. Null if none did.'),
    namedDimension(
      'template',
      'Template',
      'The template, by slug. A deleted template has its slug as name and no ID.',
    ),
    textDimension('content_type', 'Content type', 'Transactional or promotional.', CONTENT_TYPES),
    textDimension('status', 'Status', 'The outcome of the message.', EMAIL_STATUSES),
    textDimension(
      'recipient_domain',
      'Recipient domain',
      'The part of the address after the @, in lowercase.',
    ),
    textDimension(
      'source',
      'Source',
      'What sent the message: a flow, a campaign, or an API call.',
      EMAIL_ORIGINS,
    ),
  ],
};
