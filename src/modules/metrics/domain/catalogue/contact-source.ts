/** Contacts: how many there are, and how many came and went. */
import { SUBSCRIPTION_STATUSES } from '../../../contacts/domain/contact.js';
import { DATE, MONTH, counted, type Source, text, WEEK } from './source.js';

export const CONTACT_SOURCE: Source = {
  key: 'contacts',
  label: 'Contacts',
  description: 'Contacts of the environment. What is told of a contact beside its times is what it is now.',
  metrics: [
    {
      key: 'total',
      label: 'Total',
      description: 'Contacts at the end of the period, without deleted ones.',
      format: 'number',
      computation: { kind: 'level' },
    },
    counted('created', 'Created', 'Contacts that were created in the period.'),
    counted('unsubscribed', 'Unsubscribed', 'How often contacts unsubscribed in the period.'),
    counted('deleted', 'Deleted', 'How often contacts were deleted in the period.'),
    {
      key: 'net_growth',
      label: 'Net growth',
      description: 'Created, less unsubscribed and deleted.',
      format: 'number',
      computation: { kind: 'balance', of: { plus: ['created'], minus: ['unsubscribed', 'deleted'] } },
    },
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    text('subscription_status', 'Subscription status', 'The contact’s status now.', SUBSCRIPTION_STATUSES),
    text('locale', 'Locale', 'The contact’s locale now; null where it has none.'),
    text('timezone', 'Timezone', 'The contact’s time zone now; null where it has none.'),
    text(
      'tag',
      'Tag',
      'The contact’s tags now: a row for each, null for contacts without; totals count each contact once.',
    ),
  ],
};
