/** Platforms that contacts are brought over from through an API (section 4.9: platform); the configuration may tell where each is. */
export const MIGRATION_PLATFORMS = [
  'customerio',
  'braze',
  'klaviyo',
  'mailchimp',
  'onesignal',
  'intercom',
] as const;
export type MigrationPlatform = (typeof MIGRATION_PLATFORMS)[number];
