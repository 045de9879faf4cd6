/** Email metrics: the terms of section 6.2. Each message counts at most once per metric. */
import { CONTENT_TYPES } from '../../../../kernel/email-settings.js';
import {
  type Balance,
  counted,
  DATE,
  DAY_OF_WEEK,
  HOUR_OF_DAY,
  measured,
  MONTH,
  named,
  rated,
  type Source,
  text,
  WEEK,
} from './source.js';

/** A bounced message could not be read. */
const ARRIVED: Balance = { plus: ['sent'], minus: ['bounced'] };

export const EMAIL_STATUSES = ['sent', 'suppressed', 'failed'] as const;
export const EMAIL_ORIGINS = ['flow', 'campaign', 'direct'] as const;

export const EMAIL_SOURCE: Source = {
  key: 'email_logs',
  label: 'Emails',
  description:
    'Messages sent, suppressed or failed, dated when that was decided. Opens, clicks and other reactions count on ' +
    'the date the message was sent. Test sends and Waypost’s own notices are excluded.',
  metrics: [
    counted('sent', 'Sent', 'Messages accepted by a mail server.', 'messages', ['sent']),
    measured(
      counted('delivered', 'Delivered', 'Sent messages that the provider reported as delivered.'),
      'deliveries',
      { plus: ['sent'] },
    ),
    measured(
      counted(
        'opened',
        'Opened',
        'Sent messages that a person opened or clicked. Opens by machines are excluded.',
      ),
      'opens',
      ARRIVED,
    ),
    measured(
      counted(
        'clicked',
        'Clicked',
        'Sent messages in which a person clicked a link. Clicks by machines are excluded.',
      ),
      'clicks',
      ARRIVED,
    ),
    counted(
      'bounced',
      'Bounced',
      'Sent messages that bounced. A message delivered after a soft bounce does not count.',
    ),
    counted('complained', 'Complained', 'Sent messages that recipients reported as spam.'),
    counted('unsubscribed', 'Unsubscribed', 'Sent messages whose link was used to unsubscribe.'),
    counted(
      'suppressed',
      'Suppressed',
      'Messages not sent for a reason, such as an opt-out, a suppressed address or a cap.',
      'messages',
      ['suppressed'],
    ),
    counted(
      'failed',
      'Failed',
      'Messages not sent because of an error, such as a rejection or a template that cannot be rendered.',
      'messages',
      ['failed'],
    ),
    measured(
      rated(
        'open_rate',
        'Open rate',
        'Opened, as a percentage of sent messages that did not bounce.',
        'opened',
        ARRIVED,
      ),
      'opens',
      ARRIVED,
    ),
    measured(
      rated(
        'click_rate',
        'Click rate',
        'Clicked, as a percentage of sent messages that did not bounce.',
        'clicked',
        ARRIVED,
      ),
      'clicks',
      ARRIVED,
    ),
    measured(
      rated('click_to_open_rate', 'Click-to-open rate', 'Clicked, as a percentage of opened.', 'clicked', {
        plus: ['opened'],
      }),
      'opens_and_clicks',
      ARRIVED,
    ),
    rated('bounce_rate', 'Bounce rate', 'Bounced, as a percentage of sent.', 'bounced', { plus: ['sent'] }),
    rated(
      'complaint_rate',
      'Complaint rate',
      'Complained, as a percentage of sent messages that did not bounce.',
      'complained',
      ARRIVED,
    ),
    rated(
      'unsubscribe_rate',
      'Unsubscribe rate',
      'Unsubscribed, as a percentage of sent messages that did not bounce.',
      'unsubscribed',
      ARRIVED,
    ),
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    HOUR_OF_DAY,
    DAY_OF_WEEK,
    named('flow', 'Flow', 'The flow that sent the message. Null if none did.'),
    named('campaign', 'Campaign', 'The campaign that sent the message. Null if none did.'),
    named(
      'template',
      'Template',
      'The template, by slug. A deleted template has its slug as name and no ID.',
    ),
    text('content_type', 'Content type', 'Transactional or promotional.', CONTENT_TYPES),
    text('status', 'Status', 'The outcome of the message.', EMAIL_STATUSES),
    text('recipient_domain', 'Recipient domain', 'The part of the address after the @, in lowercase.'),
    text('source', 'Source', 'What sent the message: a flow, a campaign, or an API call.', EMAIL_ORIGINS),
  ],
};
