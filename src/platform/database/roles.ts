/**
 * The database roles of the service. None is a superuser, owns a table or bypasses row-level security. Their passwords
 * are derived from the administrator's connection string, so that one DATABASE_URL configures every process of an
 * installation.
 *
 * - `waypost_app` reads and writes only rows of the scope that its transaction has set.
 * - `waypost_dispatch` sees, across tenants, only which workspace has due work and when: scheduling columns, no
 *   personal data.
 * - `waypost_reader` reads whole tables and writes nothing. Under a tenant's policy PostgreSQL cannot use an index for
 *   conditions such as ILIKE, so large reads use this role; platform/database/survey adds the tenant to each query.
 * - `waypost_queue` uses BullMQ's schema, where it may create sequences, and sees none of our tables.
 */
import { createHash, createHmac } from 'node:crypto';

export const APP_ROLE = 'waypost_app';
export const DISPATCH_ROLE = 'waypost_dispatch';
export const READER_ROLE = 'waypost_reader';
export const QUEUE_ROLE = 'waypost_queue';

export const SERVICE_ROLES = [APP_ROLE, DISPATCH_ROLE, QUEUE_ROLE, READER_ROLE] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/**
 * The suffix of an installation's role names. Roles belong to the whole server: if another installation uses the plain
 * names, this one adds a digest of its database's name. Empty for plain names.
 */
export type RoleSuffix = string;

/** Matches a suffix, as a PostgreSQL regular expression. */
export const SUFFIX_PATTERN = '_[0-9a-f]{12}';

/** The suffix that belongs to a database. */
export function suffixOf(database: string): RoleSuffix {
  return `_${createHash('sha256').update(database).digest('hex').slice(0, 12)}`;
}

/** The password of a role in the installation of this administrator's connection string. */
export function passwordOf(role: string, adminUrl: string): string {
  const admin = new URL(adminUrl);
  return createHmac('sha256', `${decodeURIComponent(admin.username)}:${decodeURIComponent(admin.password)}`)
    .update(`waypost:${role}`)
    .digest('hex');
}

/** The administrator's connection string with the service role as its user. */
export function urlAs(role: ServiceRole, adminUrl: string, suffix: RoleSuffix = ''): string {
  const url = new URL(adminUrl);
  url.username = role + suffix;
  url.password = passwordOf(role + suffix, adminUrl);
  return url.toString();
}

const NAMES = new RegExp(`\\b(${SERVICE_ROLES.join('|')})\\b`, 'g');

/** Adds the suffix to the plain role names in SQL, such as in migrations. */
export function withSuffix(sql: string, suffix: RoleSuffix): string {
  return suffix === '' ? sql : sql.replace(NAMES, `$1${suffix}`);
}
