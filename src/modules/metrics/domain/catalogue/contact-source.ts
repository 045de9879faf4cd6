/** Contact metrics: how many there are, and how many were gained and lost. */
import { SUBSCRIPTION_STATUSES } from '../../../contacts/domain/contact.js';
import { DATE, MONTH, countMetric, type Source, textDimension, WEEK } from './source.js';

export const CONTACT_SOURCE: Source = {
  key: 'contacts',
  label: 'Contacts',
  description: 'Contacts of the environment. All fields except timestamps show current values.',
  metrics: [
    {
      key: 'total',
      label: 'Total',
      description: 'Contacts at the end of the period, excluding deleted ones.',
      format: 'number',
      computation: { kind: 'level' },
    },
    countMetric('created', 'Created', 'Contacts created in the period.'),
    countMetric('unsubscribed', 'Unsubscribed', 'Number of times contacts unsubscribed in the period.'),
    countMetric('deleted', 'Deleted', 'Number of times contacts were deleted in the period.'),
    {
      key: 'net_growth',
      label: 'Net growth',
      description: 'Contacts created, minus the number of times contacts unsubscribed or were deleted.',
      format: 'number',
      computation: { kind: 'balance', of: { plus: ['created'], minus: ['unsubscribed', 'deleted'] } },
    },
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    textDimension(
      'subscription_status',
      'Subscription status',
      'The contact’s current status.',
      SUBSCRIPTION_STATUSES,
    ),
    textDimension('locale', 'Locale', 'The contact’s current locale. Null if it has none.'),
    textDimension('timezone', 'Timezone', 'The contact’s current time zone. Null if it has none.'),
    textDimension(
      'tag',
      'Tag',
      'The contact’s current tags: one row per tag, null for contacts without tags. Totals count each contact ' +
        'once.',
    ),
  ],
};
