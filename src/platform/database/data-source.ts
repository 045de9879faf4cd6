/**
 * Connection settings of the database: the administrator for migrations, the service's own roles for everything else.
 */
import { DataSource, type DataSourceOptions } from 'typeorm';
import pg from 'pg';
import { ResilientClient } from './resilient-client.js';
import { APP_ROLE, DISPATCH_ROLE, READER_ROLE, type RoleSuffix, urlAs, withSuffix } from './roles.js';
import { READER_CONNECTIONS } from './reader-database.js';
import { START_WAIT_MS } from './time-limits.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

type Classes = (new () => object)[];

/** Entities and migrations of the whole service, listed in processes/schema. */
export interface SchemaSource {
  readonly entities: Classes;
  readonly migrations: Classes;
}

const COMMON_OPTIONS = { keepAlive: true, Client: ResilientClient } as const;

/**
 * Planner settings for normal operation, where statements address rows by key. Statistics lag behind bursts. A plan
 * that was made for a small table, or a join that reads all rows of a tenant, would become slower as the table grows.
 */
const PLANNER_OPTIONS = [
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
      ...COMMON_OPTIONS,
      ...(suffix !== '' && { Client: clientWithRoleSuffix(suffix) }),
      connectionTimeoutMillis: START_WAIT_MS,
      max: 2,
      ...(options.length > 0 && { options: options.join(' ') }),
    },
  };
}

/** A client for migrations, which use the plain role names. Adds this installation's suffix to them. */
function clientWithRoleSuffix(suffix: RoleSuffix): typeof ResilientClient {
  return class extends ResilientClient {
    // TypeORM passes only the text and values.
    override query(...[text, ...rest]: readonly unknown[]): never {
      const suffixed = typeof text === 'string' ? withSuffix(text, suffix) : text;
      return (super.query as (...args: unknown[]) => never)(suffixed, ...rest);
    }
  };
}

/**
 * Options of the service's own connections.
 * @param waitMs maximum time that work waits for a connection, in milliseconds.
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
    extra: {
      ...COMMON_OPTIONS,
      connectionTimeoutMillis: waitMs,
      max: poolSize,
      pipeline: true,
      options: PLANNER_OPTIONS,
    },
  };
}

/** The small pool that finds due work across tenants. */
export function dispatchPool(adminUrl: string, waitMs = START_WAIT_MS, suffix: RoleSuffix = ''): pg.Pool {
  return new pg.Pool({
    ...COMMON_OPTIONS,
    connectionTimeoutMillis: waitMs,
    connectionString: urlAs(DISPATCH_ROLE, adminUrl, suffix),
    max: 2,
    application_name: 'waypost-dispatch',
  });
}

/**
 * The pool for reads over a whole tenant. It is separate from the pool of requests, so that a long export blocks no
 * request, and read-only whatever the query.
 */
export function readerPool(adminUrl: string, waitMs = START_WAIT_MS, suffix: RoleSuffix = ''): pg.Pool {
  return new pg.Pool({
    ...COMMON_OPTIONS,
    connectionTimeoutMillis: waitMs,
    connectionString: urlAs(READER_ROLE, adminUrl, suffix),
    max: READER_CONNECTIONS,
    application_name: 'waypost-reader',
    options: '-c default_transaction_read_only=on -c jit=off -c work_mem=32MB',
  });
}

/**
 * The administrator's data source, not yet connected.
 * @param settings settings of its connections, by name. Neither names nor values may contain whitespace.
 */
export function adminDataSource(
  adminUrl: string,
  schema: SchemaSource,
  settings: Readonly<Record<string, string>> = {},
  suffix: RoleSuffix = '',
): DataSource {
  return new DataSource(adminOptions(adminUrl, schema, settings, suffix));
}

/** Statement timeout for request rates in milliseconds. A request waits for the result, and passes without it. */
const RATES_TIMEOUTS = { statementMs: 250, connectMs: 1_000 };

/**
 * The pool for request rates. No other work uses it, and its timeouts are short enough to go unnoticed.
 * @param timeouts maximum milliseconds for a statement or a lock wait, and for a connection.
 */
export function ratesPool(
  adminUrl: string,
  { statementMs, connectMs }: typeof RATES_TIMEOUTS = RATES_TIMEOUTS,
  suffix: RoleSuffix = '',
): pg.Pool {
  return new pg.Pool({
    ...COMMON_OPTIONS,
    connectionTimeoutMillis: connectMs,
    // For a server that disappears without closing the connection.
    query_timeout: 5 * connectMs,
    connectionString: urlAs(APP_ROLE, adminUrl, suffix),
    max: 2,
    application_name: 'waypost-rates',
    options: `-c statement_timeout=${statementMs} -c lock_timeout=${statementMs} -c synchronous_commit=off`,
  });
}
