/** The names of a contact's record, as REST, filters and templates write them. Section 2.11. */

/** The members of a contact's record that hold one text, in the order in which they are shown. */
export const TEXT_FIELDS = [
  'external_id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'product_type',
  'subscription_status',
  'timezone',
  'locale',
] as const;

/** The members of a contact's record; everything else that is known of it is one of its properties. */
export const CONTACT_FIELDS: readonly string[] = [
  'id',
  ...TEXT_FIELDS,
  'properties',
  'tags',
  'created_at',
  'updated_at',
];
