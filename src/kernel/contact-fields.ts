/** The field names of a contact: the internal names, and the names in REST, filters and templates. Section 2.11. */
import { snakeCase } from './letter-case.js';

/** The text fields of a contact, in display order. */
export const TEXT_FIELDS = [
  'externalId',
  'email',
  'phone',
  'firstName',
  'lastName',
  'productType',
  'subscriptionStatus',
  'timezone',
  'locale',
] as const;

/**
 * The contact fields under the names that applications and templates use. All other data of a contact is in its
 * properties.
 */
export const CONTACT_FIELDS: readonly string[] = [
  'id',
  ...TEXT_FIELDS.map((field) => snakeCase(field)),
  'properties',
  'tags',
  'created_at',
  'updated_at',
];
