/** What is told of a contact when it is stored: what happened to it, as far as whoever stores it knows without asking. */
import { STANDARD_FIELDS, type Contact, type SubscriptionStatus } from './contact.js';
import type { ContactChange } from './refusal.js';

/** `revived`: a deleted one came back. `erased`: nobody can be told from it any more; it may have been deleted before. */
export type ContactNews = 'created' | 'changed' | 'deleted' | 'revived' | 'erased';

export interface ChangedContact {
  readonly id: string;
  readonly what: ContactNews;
  /** Null of one that was created. */
  readonly statusBefore: SubscriptionStatus | null;
  readonly status: SubscriptionStatus;
  /** Names of the contact's fields, as a Contact has them, whose value is another now, or may be, where it was erased. */
  readonly fields: readonly string[];
}

/** What is told of a change. Member by member: it is done for every contact that an event is about. */
export function changedContact({ before, contact, updatedFields }: ContactChange): ChangedContact {
  const statusBefore = before?.subscriptionStatus ?? null;
  const status = contact.subscriptionStatus;
  return { id: contact.id, what: newsOf(statusBefore, status), statusBefore, status, fields: updatedFields };
}

const ERASED_FIELDS = ['externalId', ...STANDARD_FIELDS, 'properties', 'tags', 'subscriptionStatus'] as const;

/** What is told of an erasure. @param before the contact as it was. */
export function erasedContact({ id, subscriptionStatus: statusBefore }: Contact): ChangedContact {
  return { id, what: 'erased', statusBefore, status: 'deleted', fields: ERASED_FIELDS };
}

function newsOf(before: SubscriptionStatus | null, status: SubscriptionStatus): ContactNews {
  if (before === null) return 'created';
  if (before === status) return 'changed';
  if (status === 'deleted') return 'deleted';
  return before === 'deleted' ? 'revived' : 'changed';
}
