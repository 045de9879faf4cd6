import { changedContact, type ContactChangeKind } from './changed-contact.js';
import { newContact, type SubscriptionStatus } from './contact.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const ada = newContact('c1', 'ada', NOW);

test.each<[SubscriptionStatus | null, SubscriptionStatus, ContactChangeKind]>([
  [null, 'subscribed', 'created'],
  [null, 'unsubscribed', 'created'],
  ['subscribed', 'subscribed', 'changed'],
  ['subscribed', 'unsubscribed', 'changed'],
  ['unsubscribed', 'deleted', 'deleted'],
  ['deleted', 'subscribed', 'revived'],
  ['deleted', 'unsubscribed', 'revived'],
])('a contact that was %s and is %s was %s', (before, status, what) => {
  expect(
    changedContact({
      before: before === null ? undefined : { ...ada, subscriptionStatus: before },
      contact: { ...ada, subscriptionStatus: status },
      updatedFields: ['email'],
    }),
  ).toEqual({ id: 'c1', what, statusBefore: before, status, fields: ['email'] });
});
