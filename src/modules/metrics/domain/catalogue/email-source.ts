/** Messages: section 6.2's words as figures, each message counted once for each. */
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

/** A message that came back was never there to be read. */
const ARRIVED: Balance = { plus: ['sent'], minus: ['bounced'] };

export const EMAIL_STATUSES = ['sent', 'suppressed', 'failed'] as const;
export const EMAIL_ORIGINS = ['flow', 'campaign', 'direct'] as const;

export const EMAIL_SOURCE: Source = {
  key: 'email_logs',
  label: 'Emails',
  description:
    'Messages whose fate is decided, at the moment at which they were sent, or it was decided that they are not. What people do with ' +
    'a message counts at the moment at which it was sent. Test sends and mail of the product itself are in none.',
  metrics: [
    counted('sent', 'Sent', 'Messages that a mail server has accepted.', 'messages', ['sent']),
    measured(
      counted('delivered', 'Delivered', 'Sent messages of which the provider has told that they arrived.'),
      'deliveries',
      { plus: ['sent'] },
    ),
    measured(
      counted(
        'opened',
        'Opened',
        'Sent messages that a person opened or clicked in; opens by machines are left out.',
      ),
      'opens',
      ARRIVED,
    ),
    measured(
      counted(
        'clicked',
        'Clicked',
        'Sent messages in which a person clicked; clicks by machines are left out.',
      ),
      'clicks',
      ARRIVED,
    ),
    counted(
      'bounced',
      'Bounced',
      'Sent messages that came back; one that was delivered after a soft bounce is none.',
    ),
    counted('complained', 'Complained', 'Sent messages that their recipients reported as spam.'),
    counted('unsubscribed', 'Unsubscribed', 'Sent messages whose link was used to want no more mail.'),
    counted(
      'suppressed',
      'Suppressed',
      'Messages that were held back: unsubscribed, suppressed, capped, without an address.',
      'messages',
      ['suppressed'],
    ),
    counted('failed', 'Failed', 'Messages that the mail server refused for good; never sent.', 'messages', [
      'failed',
    ]),
    measured(
      rated('open_rate', 'Open rate', 'Opened, of sent less bounced.', 'opened', ARRIVED),
      'opens',
      ARRIVED,
    ),
    measured(
      rated('click_rate', 'Click rate', 'Clicked, of sent less bounced.', 'clicked', ARRIVED),
      'clicks',
      ARRIVED,
    ),
    measured(
      rated('click_to_open_rate', 'Click-to-open rate', 'Clicked, of opened.', 'clicked', {
        plus: ['opened'],
      }),
      'opens_and_clicks',
      ARRIVED,
    ),
    rated('bounce_rate', 'Bounce rate', 'Bounced, of sent.', 'bounced', { plus: ['sent'] }),
    rated('complaint_rate', 'Complaint rate', 'Complained, of sent less bounced.', 'complained', ARRIVED),
    rated(
      'unsubscribe_rate',
      'Unsubscribe rate',
      'Unsubscribed, of sent less bounced.',
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
    named('flow', 'Flow', 'The flow that had the message sent; null for messages of no flow.'),
    named('campaign', 'Campaign', 'The campaign that had the message sent; null for messages of none.'),
    named(
      'template',
      'Template',
      'The template by its slug; one that is deleted has the slug for a name and no id.',
    ),
    text('content_type', 'Content type', 'Transactional or promotional.', CONTENT_TYPES),
    text('status', 'Status', 'What was decided of the message.', EMAIL_STATUSES),
    text(
      'recipient_domain',
      'Recipient domain',
      'What stands behind the @ of the address, in small letters.',
    ),
    text(
      'source',
      'Source',
      'What had the message sent: a flow, a campaign, or a call of the API.',
      EMAIL_ORIGINS,
    ),
  ],
};
