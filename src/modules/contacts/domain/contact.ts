/** A contact and what happens when new data about it arrives, section 2.11. */
import type { JsonObject } from '../../../kernel/json.js';

export type SubscriptionStatus = 'subscribed' | 'unsubscribed' | 'deleted';

/** The standard fields that an application may set. */
export const STANDARD_FIELDS = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'product_type',
  'timezone',
  'locale',
] as const;
export type StandardField = (typeof STANDARD_FIELDS)[number];

export interface Contact {
  readonly id: string;
  readonly external_id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly product_type: string | null;
  readonly subscription_status: SubscriptionStatus;
  readonly timezone: string | null;
  readonly locale: string | null;
  readonly properties: JsonObject;
  readonly tags: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** New data about a contact: an absent member says nothing, null clears a standard field. */
export type ContactChanges = {
  readonly [Field in StandardField]?: string | null;
} & {
  /** Merged one by one; a value of null removes the property. */
  readonly properties?: JsonObject;
  /** Replaces the list. */
  readonly tags?: readonly string[];
  /** Joined to the list, after it was replaced. */
  readonly add_tags?: readonly string[];
  /** Taken out of the list, at last. */
  readonly remove_tags?: readonly string[];
};

/** A contact of which only its identifier is known. */
export function newContact(id: string, externalId: string, now: Date): Contact {
  return {
    id,
    external_id: externalId,
    email: null,
    phone: null,
    first_name: null,
    last_name: null,
    product_type: null,
    subscription_status: 'subscribed',
    timezone: null,
    locale: null,
    properties: {},
    tags: [],
    created_at: now,
    updated_at: now,
  };
}
