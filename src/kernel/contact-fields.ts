/** The names of a contact's record: those inside, and those that REST, filters and templates write. Section 2.11. */
import { snakeCase } from './letter-case.js';

/** The members of a contact's record that hold one text, in the order in which they are shown. */
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
 * The members of a contact's record under the names that applications and templates know; everything else that is
 * known of it is one of its properties.
 */
export const CONTACT_FIELDS: readonly string[] = [
  'id',
  ...TEXT_FIELDS.map((field) => snakeCase(field)),
  'properties',
  'tags',
  'created_at',
  'updated_at',
];
