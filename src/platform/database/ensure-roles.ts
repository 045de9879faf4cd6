/**
 * Finds or creates the roles of an installation. Roles belong to the whole server, which several installations may
 * share. If another installation uses the plain names, this one gets its own names and changes nothing of the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, RoleFault } from './database-error.js';
import {
  APP_ROLE,
  passwordOf,
  type RoleSuffix,
  SERVICE_ROLES,
  type ServiceRole,
  SUFFIX_PATTERN,
  suffixOf,
  urlAs,
  READER_ROLE,
} from './roles.js';
import { START_WAIT_MS, TIME_LIMITS } from './time-limits.js';

/**
 * Per connection, in PostgreSQL's notation. Setting it requires a superuser, or the SET privilege on this parameter.
 */
const TEMP_FILE_LIMIT: Readonly<Partial<Record<ServiceRole, string>>> = { [READER_ROLE]: '4GB' };

/** Maximum retries while others change the roles. */
const MAX_ATTEMPTS = 100;

export interface EnsuredRoles {
  readonly suffix: RoleSuffix;
  /** The suffix of the roles that hold the database's privileges so far, if they differ. */
  readonly former: RoleSuffix | undefined;
}

/** A role of the server, as seen by this installation. */
interface FoundRole {
  readonly role: ServiceRole;
  /** Whether it has more privileges than the service needs. */
  readonly isMighty: boolean;
  /** Whether it accepts this installation's password. */
  readonly isOurs: boolean;
  /** Whether the account may set its password. */
  readonly canAlter: boolean;
  /** Whether it holds privileges in another database. */
  readonly isUsedElsewhere: boolean;
}

/** The suffix of the roles used by a database that is at the current schema. */
export async function roleSuffixOf(adminUrl: string): Promise<RoleSuffix> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: START_WAIT_MS });
  await client.connect();
  try {
    return (await currentSuffix(client)) ?? '';
  } finally {
    await client.end();
  }
}

/**
 * Creates missing roles and repairs existing ones.
 * @throws RoleFault if neither the plain names nor this database's names are available; then nothing changes.
 */
export function ensureRoles(client: pg.Client, adminUrl: string): Promise<EnsuredRoles> {
  return retryOnConcurrentChange(async () => {
    const current = await currentSuffix(client);
    const own = suffixOf(await nameOfDatabase(client));
    for (const suffix of new Set([current ?? '', own])) {
      const found = await findRoles(client, suffix, adminUrl);
      // Plain roles that the database does not use yet may be roles that another installation is creating right now.
      const isKnown = suffix === current || suffix === own;
      const isSafe = found.every(
        ({ isOurs, canAlter, isUsedElsewhere }) =>
          isOurs || (canAlter && isKnown && (!isUsedElsewhere || current === own)),
      );
      if (!isSafe) continue;
      await createOrRepairRoles(client, suffix, found, adminUrl);
      return { suffix, former: current === suffix ? undefined : current };
    }
    throw new RoleFault(
      `DATABASE_URL uses an account that cannot use the roles of this database (${APP_ROLE + own} and others), ` +
        'which another account created: use that account, or drop the roles.',
    );
  });
}

/** The suffix of the roles that hold privileges in the database; undefined if none do. */
async function currentSuffix(client: pg.Client): Promise<RoleSuffix | undefined> {
  const { rows } = await client.query<{ suffix: string }>(
    `SELECT substr(r.rolname, ${APP_ROLE.length + 1}) AS suffix FROM pg_shdepend d
     JOIN pg_database b ON b.oid = d.dbid AND b.datname = current_database()
     JOIN pg_roles r ON d.refclassid = 'pg_authid'::regclass AND r.oid = d.refobjid
     WHERE r.rolname ~ '^${APP_ROLE}(${SUFFIX_PATTERN})?$' GROUP BY r.rolname ORDER BY count(*) DESC LIMIT 1`,
  );
  return rows[0]?.suffix;
}

async function nameOfDatabase(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  return rows[0]?.name ?? '';
}

async function findRoles(client: pg.Client, suffix: RoleSuffix, adminUrl: string): Promise<FoundRole[]> {
  const { rows } = await client.query<Omit<FoundRole, 'role' | 'isOurs'> & { name: string }>(
    `SELECT r.rolname AS name, r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb AS "isMighty",
       me.rolsuper OR (me.rolcreaterole AND (current_setting('server_version_num')::int < 160000
         OR pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION'))) AS "canAlter",
       EXISTS (SELECT FROM pg_shdepend d JOIN pg_database b ON b.oid = d.dbid
         WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid AND b.datname <> current_database()) AS "isUsedElsewhere"
     FROM pg_roles r JOIN pg_roles me ON me.rolname = current_user WHERE r.rolname = ANY ($1)`,
    [SERVICE_ROLES.map((role) => role + suffix)],
  );
  const found: FoundRole[] = [];
  for (const role of SERVICE_ROLES) {
    const known = rows.find(({ name }) => name === role + suffix);
    if (known) found.push({ ...known, role, isOurs: await acceptsPassword(urlAs(role, adminUrl, suffix)) });
  }
  return found;
}

/** Whether the server accepts this installation's password for the role. */
async function acceptsPassword(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_WAIT_MS });
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return !['28P01', '28000'].includes(codeOf(error));
  }
  await client.end();
  return true;
}

async function createOrRepairRoles(
  client: pg.Client,
  suffix: RoleSuffix,
  found: readonly FoundRole[],
  adminUrl: string,
): Promise<void> {
  const mighty = found.find(({ isMighty }) => isMighty);
  if (mighty)
    throw new RoleFault(
      `DATABASE_URL: the role ${mighty.role + suffix} has more privileges than the service needs: revoke its ` +
        'attributes, or drop it.',
    );
  for (const role of SERVICE_ROLES) {
    const name = role + suffix;
    // The password is hexadecimal digits; DDL takes no parameters.
    const password = passwordOf(name, adminUrl);
    const known = found.find((one) => one.role === role);
    if (!known)
      await client.query(
        `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD '${password}'`,
      );
    else if (!known.isOurs) await client.query(`ALTER ROLE ${name} LOGIN PASSWORD '${password}'`);
    await applyLimits(client, role, suffix);
  }
}

/**
 * Sets the role's limits for all its connections. Runs no statement if they are already set, because many processes may
 * start concurrently. Leaves the limit of temporary space unchanged if the account may not set it.
 */
async function applyLimits(client: pg.Client, role: ServiceRole, suffix: RoleSuffix): Promise<void> {
  const space = TEMP_FILE_LIMIT[role];
  const limits: Readonly<Record<string, string | number>> = {
    ...TIME_LIMITS[role],
    ...(space !== undefined && (await mayLimitSpace(client)) && { temp_file_limit: space }),
  };
  const { rows } = await client.query<{ setting: string }>(
    `SELECT unnest(s.setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
     WHERE r.rolname = $1 AND s.setdatabase = 0`,
    [role + suffix],
  );
  const known = new Set(rows.map(({ setting }) => setting));
  for (const [name, value] of Object.entries(limits))
    if (!known.has(`${name}=${value}`))
      await client.query(`ALTER ROLE ${role + suffix} SET ${name} = '${value}'`);
}

async function mayLimitSpace(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT has_parameter_privilege('temp_file_limit', 'SET') AS may",
  );
  return rows[0]?.may === true;
}

/**
 * The migration lock belongs to one database, so another installation on the same server may create or change a role
 * concurrently. In that case, reads the roles again and retries.
 */
async function retryOnConcurrentChange<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConcurrentRoleChange(error)) throw error;
      await sleep(Math.random() * attempt * 20);
    }
}

/**
 * The role was created concurrently (42710, or 23505 of a catalogue index) or changed concurrently (recognised only by
 * the name of the server routine).
 */
function isConcurrentRoleChange(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.code === '42710' ||
    (error.code === '23505' && error.constraint?.startsWith('pg_') === true) ||
    (error.code === 'XX000' && error.routine === 'simple_heap_update')
  );
}
