/** How the database is connected to: by the administrator for migrations, by the service's own roles at work. */
import { DataSource, type DataSourceOptions } from 'typeorm';
import pg from 'pg';
import { EnduringClient } from './enduring-client.js';
import { APP_ROLE, DISPATCH_ROLE, READER_ROLE, type RoleSuffix, urlAs, withSuffix } from './roles.js';
import { SURVEY_CONNECTIONS } from './survey.js';
import { START_WAIT_MS } from './time-limits.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

type Classes = (new () => object)[];

/** Entities and migrations of the whole service, listed in processes/schema. */
export interface SchemaSource {
  readonly entities: Classes;
  readonly migrations: Classes;
}

const COMMON = { keepAlive: true, Client: EnduringClient } as const;

/**
 * At work, statements touch rows that they name. Statistics are always a step behind a burst, and a plan that was made
 * when a table was small, or that joins by reading a tenant's rows whole, would cost ever more as it grows.
 */
const AT_WORK = [
  'plan_cache_mode=force_custom_plan',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_material=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Options of the administrator's connection, which owns the tables and applies migrations. */
export function adminOptions(
  adminUrl: string,
  schema: SchemaSource,
  settings: Readonly<Record<string, string>> = {},
  suffix: RoleSuffix = '',
): PostgresOptions {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    type: 'postgres',
    url: adminUrl,
    entities: schema.entities,
    migrations: schema.migrations,
    migrationsTableName: 'schema_migrations',
    applicationName: 'waypost-migrate',
    extra: {
      ...COMMON,
      ...(suffix !== '' && { Client: namingRoles(suffix) }),
      connectionTimeoutMillis: START_WAIT_MS,
      max: 2,
      ...(options.length > 0 && { options: options.join(' ') }),
    },
  };
}

/** A client that runs migrations, which name the roles plainly, for an installation whose names end in the suffix. */
function namingRoles(suffix: RoleSuffix): typeof EnduringClient {
  return class extends EnduringClient {
    // TypeORM hands over text and values alone.
    override query(...[text, ...rest]: readonly unknown[]): never {
      const named = typeof text === 'string' ? withSuffix(text, suffix) : text;
      return (super.query as (...args: unknown[]) => never)(named, ...rest);
    }
  };
}

/**
 * Options of the service's own connections.
 * @param waitMs milliseconds that work waits for one of them.
 */
export function appOptions(
  adminUrl: string,
  schema: SchemaSource,
  poolSize: number,
  waitMs = START_WAIT_MS,
  suffix: RoleSuffix = '',
): PostgresOptions {
  return {
    ...adminOptions(urlAs(APP_ROLE, adminUrl, suffix), schema),
    applicationName: 'waypost',
    extra: { ...COMMON, connectionTimeoutMillis: waitMs, max: poolSize, pipeline: true, options: AT_WORK },
  };
}

/** The small pool that looks for due work across tenants. */
export function dispatchPool(adminUrl: string, waitMs = START_WAIT_MS, suffix: RoleSuffix = ''): pg.Pool {
  return new pg.Pool({
    ...COMMON,
    connectionTimeoutMillis: waitMs,
    connectionString: urlAs(DISPATCH_ROLE, adminUrl, suffix),
    max: 2,
    application_name: 'waypost-dispatch',
  });
}

/**
 * The pool for reads over whole tenants. Other connections than those of requests, so that the longest export keeps
 * no request waiting; read only, whatever a query says.
 */
export function readerPool(adminUrl: string, waitMs = START_WAIT_MS, suffix: RoleSuffix = ''): pg.Pool {
  return new pg.Pool({
    ...COMMON,
    connectionTimeoutMillis: waitMs,
    connectionString: urlAs(READER_ROLE, adminUrl, suffix),
    max: SURVEY_CONNECTIONS,
    application_name: 'waypost-reader',
    options: '-c default_transaction_read_only=on -c jit=off -c work_mem=32MB',
  });
}

/**
 * A data source of the administrator, not yet connected.
 * @param settings of its connections, by name; neither names nor values may hold white space.
 */
export function adminDataSource(
  adminUrl: string,
  schema: SchemaSource,
  settings: Readonly<Record<string, string>> = {},
  suffix: RoleSuffix = '',
): DataSource {
  return new DataSource(adminOptions(adminUrl, schema, settings, suffix));
}

/** Milliseconds that a statement about request rates may take: somebody waits for it who would rather pass. */
const RATES_WITHIN = 250;

/**
 * The connections of request rates: nothing else keeps them busy, and they are cut before anybody notices.
 * @param within milliseconds that a statement may take, and may wait for a lock.
 */
export function ratesPool(adminUrl: string, within = RATES_WITHIN, suffix: RoleSuffix = ''): pg.Pool {
  return new pg.Pool({
    ...COMMON,
    connectionTimeoutMillis: 1_000,
    // Of a server that is gone without a word.
    query_timeout: 5_000,
    connectionString: urlAs(APP_ROLE, adminUrl, suffix),
    max: 2,
    application_name: 'waypost-rates',
    options: `-c statement_timeout=${within} -c lock_timeout=${within} -c synchronous_commit=off`,
  });
}
