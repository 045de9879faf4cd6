/**
 * The database roles the service works as. None is a superuser, owns a table or may pass row-level security. Their
 * passwords are derived from the administrator's address, so that one DATABASE_URL is all that every process of an
 * installation needs.
 *
 * - `waypost_app` reads and writes rows of the scope that its transaction has set, and no others.
 * - `waypost_dispatch` sees, across tenants, only which workspace has work that is due and when: scheduling
 *   columns, no personal data.
 * - `waypost_reader` reads whole tables and writes nothing. Under a tenant's policy PostgreSQL may use no index for
 *   conditions such as ILIKE, so large reads go through it; platform/database/survey names the tenant in each of them.
 * - `waypost_queue` works on BullMQ's schema, in which it may make sequences, and sees no table of ours.
 */
import { createHash, createHmac } from 'node:crypto';

export const APP_ROLE = 'waypost_app';
export const DISPATCH_ROLE = 'waypost_dispatch';
export const READER_ROLE = 'waypost_reader';
export const QUEUE_ROLE = 'waypost_queue';

export const SERVICE_ROLES = [APP_ROLE, DISPATCH_ROLE, QUEUE_ROLE, READER_ROLE] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/**
 * What the names of an installation's roles end in. Roles belong to the whole server: where another installation has the
 * plain names, those of this one end in a digest of its database's name. Empty where the names are plain.
 */
export type RoleSuffix = string;

/** A suffix as a regular expression of PostgreSQL. */
export const SUFFIX_PATTERN = '_[0-9a-f]{12}';

/** The suffix that belongs to a database. */
export function suffixOf(database: string): RoleSuffix {
  return `_${createHash('sha256').update(database).digest('hex').slice(0, 12)}`;
}

/** The password of a role in the installation that an administrator's address names. */
export function passwordOf(role: string, adminUrl: string): string {
  const admin = new URL(adminUrl);
  return createHmac('sha256', `${decodeURIComponent(admin.username)}:${decodeURIComponent(admin.password)}`)
    .update(`waypost:${role}`)
    .digest('hex');
}

/** The administrator's address, with the service role in the administrator's place. */
export function urlAs(role: ServiceRole, adminUrl: string, suffix: RoleSuffix = ''): string {
  const url = new URL(adminUrl);
  url.username = role + suffix;
  url.password = passwordOf(role + suffix, adminUrl);
  return url.toString();
}

const NAMES = new RegExp(`\\b(${SERVICE_ROLES.join('|')})\\b`, 'g');

/** SQL that names the roles plainly, as migrations do, for an installation whose names end in the suffix. */
export function withSuffix(sql: string, suffix: RoleSuffix): string {
  return suffix === '' ? sql : sql.replace(NAMES, `$1${suffix}`);
}
