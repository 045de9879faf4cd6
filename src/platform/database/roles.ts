/**
 * The two database roles the service works as. Neither owns anything, is a superuser or may pass row-level
 * security. Their passwords are derived from the administrator's address, so that one DATABASE_URL is all that
 * every process of an installation needs.
 *
 * - `waypost_app` reads and writes rows of the scope that its transaction has set, and no others.
 * - `waypost_dispatch` sees, across tenants, only which workspace has work that is due and when: scheduling
 *   columns, no personal data.
 */
import { createHmac } from 'node:crypto';

export const APP_ROLE = 'waypost_app';
export const DISPATCH_ROLE = 'waypost_dispatch';

export type ServiceRole = typeof APP_ROLE | typeof DISPATCH_ROLE;

/** The password of a service role in the installation that an administrator's address names. */
export function passwordOf(role: ServiceRole, adminUrl: string): string {
  const admin = new URL(adminUrl);
  return createHmac('sha256', `${decodeURIComponent(admin.username)}:${decodeURIComponent(admin.password)}`)
    .update(`waypost:${role}`)
    .digest('hex');
}

/** The administrator's address, with the service role in the administrator's place. */
export function urlAs(role: ServiceRole, adminUrl: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = passwordOf(role, adminUrl);
  return url.toString();
}
