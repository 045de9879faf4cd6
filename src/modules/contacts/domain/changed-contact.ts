/** The announcement of a stored contact: what changed, as far as the code that stores it knows without a query. */
import { STANDARD_FIELDS, type Contact, type SubscriptionStatus } from './contact.js';
import type { ContactChange } from './opt-out.js';

/**
 * `revived`: a deleted contact came back. `erased`: it no longer identifies a person; it may have been deleted
 * before.
 */
export type ContactChangeKind = 'created' | 'changed' | 'deleted' | 'revived' | 'erased';

export interface ChangedContact {
  readonly id: string;
  readonly what: ContactChangeKind;
  /** Null for a created contact. */
  readonly statusBefore: SubscriptionStatus | null;
  readonly status: SubscriptionStatus;
  /** Names of the fields of Contact whose value changed, or may have changed if the contact was erased. */
  readonly fields: readonly string[];
}

/** Announces a change. Members are listed instead of spread for speed: this runs for each contact of each event. */
export function changedContact({ before, contact, updatedFields }: ContactChange): ChangedContact {
  const statusBefore = before?.subscriptionStatus ?? null;
  const status = contact.subscriptionStatus;
  return {
    id: contact.id,
    what: changeKindOf(statusBefore, status),
    statusBefore,
    status,
    fields: updatedFields,
  };
}

const ERASED_FIELDS = ['externalId', ...STANDARD_FIELDS, 'properties', 'tags', 'subscriptionStatus'] as const;

/** Announces an erasure. @param before the contact before it. */
export function erasedContact({ id, subscriptionStatus: statusBefore }: Contact): ChangedContact {
  return { id, what: 'erased', statusBefore, status: 'deleted', fields: ERASED_FIELDS };
}

function changeKindOf(before: SubscriptionStatus | null, status: SubscriptionStatus): ContactChangeKind {
  if (before === null) return 'created';
  if (before === status) return 'changed';
  if (status === 'deleted') return 'deleted';
  return before === 'deleted' ? 'revived' : 'changed';
}
