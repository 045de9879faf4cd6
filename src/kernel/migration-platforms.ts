/**
 * Platforms whose contacts can be imported through an API (section 4.9: platform). The configuration may override each
 * one's address.
 */
export const MIGRATION_PLATFORMS = [
  'customerio',
  'braze',
  'klaviyo',
  'mailchimp',
  'onesignal',
  'intercom',
] as const;
export type MigrationPlatform = (typeof MIGRATION_PLATFORMS)[number];
