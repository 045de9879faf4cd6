/** A contact and the rules for changing it, section 2.11. */
import type { JsonObject } from '../../../kernel/json.js';
import { snakeCase } from '../../../kernel/letter-case.js';

export const SUBSCRIPTION_STATUSES = ['subscribed', 'unsubscribed', 'deleted'] as const;

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The statuses that an application may set; DELETE sets the third. */
export const WRITABLE_STATUSES = ['subscribed', 'unsubscribed'] as const satisfies SubscriptionStatus[];
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];

/** The standard fields that an application may set. */
export const STANDARD_FIELDS = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'productType',
  'timezone',
  'locale',
] as const;
export type StandardField = (typeof STANDARD_FIELDS)[number];

/** The standard fields by their names in requests, such as `first_name`. */
export const FIELDS_BY_REQUEST_NAME: ReadonlyMap<string, StandardField> = new Map(
  STANDARD_FIELDS.map((field) => [snakeCase(field), field]),
);

export interface Contact {
  readonly id: string;
  readonly externalId: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly productType: string | null;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly timezone: string | null;
  readonly locale: string | null;
  readonly properties: JsonObject;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** New data about a contact: an absent member changes nothing, null clears a standard field. */
export type ContactChanges = {
  readonly [Field in StandardField]?: string | null;
} & {
  /** Merged one by one; null removes a property. */
  readonly properties?: JsonObject;
  /** Replaces the tags. */
  readonly tags?: readonly string[];
  /** Added to the tags, after `tags` has replaced them. */
  readonly addTags?: readonly string[];
  /** Removed from the tags, last. */
  readonly removeTags?: readonly string[];
};

/** A contact with nothing but its identifier. */
export function newContact(id: string, externalId: string, now: Date): Contact {
  return {
    id,
    externalId,
    email: null,
    phone: null,
    firstName: null,
    lastName: null,
    productType: null,
    subscriptionStatus: 'subscribed',
    timezone: null,
    locale: null,
    properties: {},
    tags: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** File formats of the contact export, section 4.10. */
export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
