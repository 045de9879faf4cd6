/**
 * Installations as operators run them: without a superuser, several on one server, on the oldest supported
 * PostgreSQL and on the bundled one.
 */
import { Queue, Worker } from 'bullmq';
import type pg from 'pg';
import { migrate, QUEUE_SCHEMA } from '../../src/platform/database/migrate.js';
import { roleSuffixOf } from '../../src/platform/database/ensure-roles.js';
import {
  APP_ROLE,
  passwordOf,
  QUEUE_ROLE,
  READER_ROLE,
  SERVICE_ROLES,
  suffixOf,
  urlAs,
  withSuffix,
} from '../../src/platform/database/roles.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { resilientBackend, QueuePool } from '../../src/platform/queue/queue-pool.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { bootApp } from '../support/app.js';
import {
  connected,
  databaseOf,
  POSTGRES_VERSIONS,
  startPostgres,
  type PostgresServer,
} from '../support/postgres-server.js';
import { until } from '../support/until.js';

const SETTINGS = { 'waypost.refusal_key': '1'.repeat(64) };
const start = (url: string, migrations = SCHEMA.migrations): Promise<string[]> =>
  migrate(url, { entities: [], migrations }, SETTINGS);
/** A schema that is created quickly, for tests that only start. */
const FIRST = SCHEMA.migrations.slice(0, 1);

describe.each(POSTGRES_VERSIONS)('PostgreSQL %s', (version) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(version);
  });
  afterAll(() => server?.stop());

  /** Creates a database whose owner may create roles; returns its URL. */
  const installation = (name: string): Promise<string> =>
    connected(server.url, async (superuser) => {
      const account = { name: `owner_of_${name}`, password: `password of ${name}` };
      await superuser.query(`CREATE ROLE ${account.name} LOGIN CREATEROLE PASSWORD '${account.password}'`);
      await superuser.query(`CREATE DATABASE ${name} OWNER ${account.name}`);
      return databaseOf(server.url, name, account);
    });

  const changePassword = (url: string, password: string): Promise<string> =>
    connected(server.url, async (superuser) => {
      const { username, pathname } = new URL(url);
      await superuser.query(`ALTER ROLE ${username} PASSWORD '${password}'`);
      return databaseOf(url, pathname.slice(1), { name: username, password });
    });

  /** Lets a queue accept and process a job, like a running service. */
  async function work(url: string): Promise<void> {
    const options = `-c search_path=${QUEUE_SCHEMA}`;
    const connection = new QueuePool(
      { connectionString: urlAs(QUEUE_ROLE, url, await roleSuffixOf(url)), options },
      makeLogger('test', 'silent'),
    ) as never;
    const done: unknown[] = [];
    const queue = new Queue('bells', { connection }, resilientBackend as never);
    const worker = new Worker(
      'bells',
      (job) => Promise.resolve(void done.push(job.data)),
      { connection },
      resilientBackend as never,
    );
    queue.on('error', () => undefined);
    worker.on('error', () => undefined);
    await queue.add('bell', { rung: 1 });
    await queue.addBulk([{ name: 'bell', data: { rung: 2 } }]);
    await until('the bells are answered', () => done.length === 2);
    await worker.close();
    await queue.close();
    await (connection as QueuePool).end();
  }

  test('an account that is no superuser starts, works, starts again and upgrades', async () => {
    const url = await installation('ours');
    const earlier = SCHEMA.migrations.slice(0, -1);
    await start(url, earlier);
    await work(url);
    expect(await start(url)).toHaveLength(1);
    await work(url);
    expect(await start(url)).toEqual([]);
    await connected(url, (owner) => expectOwnSequence(owner));
  });

  test('the temporary space of questions is limited from the start on at which the account may set the limit', async () => {
    const url = await installation('limited');
    const limit = async (): Promise<unknown> =>
      connected(urlAs(READER_ROLE, url, await roleSuffixOf(url)), async (reader) => {
        const { rows } = await reader.query<{ temp_file_limit: string }>('SHOW temp_file_limit');
        return rows[0]?.temp_file_limit;
      });
    await start(url, FIRST);
    expect(await limit()).toBe('-1');
    await connected(server.url, (superuser) =>
      superuser.query('GRANT SET ON PARAMETER temp_file_limit TO owner_of_limited'),
    );
    await start(url, FIRST);
    expect(await limit()).toBe('4GB');
  });

  test('installations of several accounts do not lock each other out, in whatever order they start', async () => {
    const [first, second] = [await installation('first'), await installation('second')];
    for (const url of [first, second, first, second]) {
      await start(url, FIRST);
      await work(first);
      if (url === second) await work(second);
    }
    const names = await Promise.all([first, second].map(namesAtWork));
    expect(names[0]?.filter((name) => names[1]?.includes(name))).toEqual([]);
  });

  test('installations that start at once on a new server do not lock each other out', async () => {
    const urls = [await installation('one_side'), await installation('other_side')];
    await dropPlainRoles();
    await Promise.all(urls.map((url) => start(url, FIRST)));
    for (const url of urls) await work(url);
  });

  test('two databases of one account have the same roles, and a new password changes none', async () => {
    const url = await installation('production');
    const beside = databaseOf(url, 'staging');
    await connected(server.url, (superuser) =>
      superuser.query('CREATE DATABASE staging OWNER owner_of_production'),
    );
    await dropPlainRoles();
    for (const one of [url, beside, url]) await start(one, FIRST);
    for (const one of [url, beside]) expect(await namesAtWork(one)).toEqual([...SERVICE_ROLES]);
    await connected(server.url, (superuser) => superuser.query('DROP DATABASE staging'));
    const changed = await changePassword(url, 'another');
    await start(changed, FIRST);
    expect(await namesAtWork(changed)).toEqual([...SERVICE_ROLES]);
    await work(changed);
  });

  test('of two installations that have the same roles, the one that is locked out gets its own', async () => {
    const [locked, other] = [await installation('locked'), await installation('other')];
    await dropPlainRoles();
    await start(locked);
    const before = await grantsOf(locked);
    expect(await namesAtWork(locked)).toEqual([...SERVICE_ROLES]);
    // As earlier versions did at every start.
    await connected(server.url, async (superuser) => {
      for (const role of SERVICE_ROLES)
        await superuser.query(`ALTER ROLE ${role} PASSWORD '${passwordOf(role, other)}'`);
    });
    await start(other, FIRST);
    expect(await namesAtWork(other)).toEqual([...SERVICE_ROLES]);
    await start(locked);
    const suffix = suffixOf('locked');
    expect(await namesAtWork(locked)).toEqual(SERVICE_ROLES.map((role) => role + suffix));
    expect(await grantsOf(locked)).toEqual(before.map((line) => withSuffix(line, suffix)));
    for (const url of [locked, other]) await work(url);
    await start(other, FIRST);
    for (const url of [locked, other]) await work(url);
  });

  test('roles that another account works with are refused before anything is changed', async () => {
    await takePlainRoles();
    const url = await installation('refused');
    await connected(server.url, async (superuser) => {
      for (const role of SERVICE_ROLES) {
        const name = role + suffixOf('refused');
        await superuser.query(
          `CREATE ROLE ${name} LOGIN PASSWORD 'other'; GRANT USAGE ON SCHEMA public TO ${name}`,
        );
      }
    });
    await expect(start(url, FIRST)).rejects.toThrow(
      /^DATABASE_URL uses an account that cannot use the roles/,
    );
    const tables = await connected(url, (owner) =>
      owner.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`),
    );
    expect(tables.rowCount).toBe(0);
  });

  test.each(['postgres', ...(process.env['TEST_REDIS_URL'] ? ['redis'] : [])])(
    'the whole service works as an installation that is not the first, with the queue on %s',
    async (queue) => {
      await takePlainRoles();
      const adminUrl = await installation(`whole_${queue}`);
      await start(adminUrl);
      expect(await namesAtWork(adminUrl)).not.toContain(APP_ROLE);
      const database = { adminUrl, drop: () => Promise.resolve() };
      const app = await bootApp({ database, redis: queue === 'redis' });
      try {
        const workspace = await app.workspace({
          templates: [{ name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' }],
        });
        const sent = await workspace.call('POST', '/v1/send', {
          template_slug: 'hello',
          to: { external_id: 'ada', email: 'ada@example.com' },
        });
        expect(sent.status).toBe(200);
        await until('the message arrives', () => app.sink.to('ada@example.com').length > 0);
      } finally {
        await app.close();
      }
      expect(await start(adminUrl)).toEqual([]);
    },
  );

  /** Assigns the plain roles to another owner, unless they are taken already. */
  async function takePlainRoles(): Promise<void> {
    await connected(server.url, (superuser) =>
      superuser.query(
        `DO $$ BEGIN CREATE ROLE ${APP_ROLE} LOGIN PASSWORD 'other'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      ),
    );
  }

  async function dropPlainRoles(): Promise<void> {
    await connected(server.url, async (superuser) => {
      const { rows } = await superuser.query<{ name: string }>(
        `SELECT datname AS name FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'`,
      );
      for (const { name } of rows)
        await connected(databaseOf(server.url, name), (there) =>
          there.query(
            SERVICE_ROLES.map(
              (role) =>
                `DO $$ BEGIN DROP OWNED BY ${role} CASCADE; EXCEPTION WHEN undefined_object THEN NULL; END $$`,
            ).join(';'),
          ),
        );
      for (const role of SERVICE_ROLES) await superuser.query(`DROP ROLE IF EXISTS ${role}`);
    });
  }
});

/** The service's roles that have privileges in a database. */
async function namesAtWork(url: string): Promise<string[]> {
  const lines = await grantsOf(url);
  return [...new Set(lines.map((line) => line.split(' ')[0] ?? ''))].sort();
}

/**
 * Every privilege and policy of the service's roles, one per line, without those that the queue creates at run
 * time.
 */
function grantsOf(url: string): Promise<string[]> {
  return connected(url, async (owner) => {
    const { rows } = await owner.query<{ line: string }>(
      `SELECT concat_ws(' ', rolname, privilege_type, kind, object) COLLATE "C" AS line
       FROM (SELECT 'relation' AS kind, oid::regclass::text AS object, relacl AS list FROM pg_class WHERE relname NOT LIKE 'bullmq_jid%'
         UNION ALL SELECT 'column', format('%s.%s', attrelid::regclass, attname), attacl FROM pg_attribute
         UNION ALL SELECT 'function', oid::regprocedure::text, proacl FROM pg_proc
         UNION ALL SELECT 'schema', nspname, nspacl FROM pg_namespace) AS lists, aclexplode(list) JOIN pg_roles r ON r.oid = grantee
       WHERE rolname ~ '^waypost_'
       UNION ALL SELECT concat_ws(' ', unnest(roles), cmd, permissive, tablename, policyname, qual, with_check) FROM pg_policies ORDER BY 1`,
    );
    return rows.map(({ line }) => line);
  });
}

/**
 * Objects that the queue's role creates at run time belong to it: the account that starts the service has no
 * access.
 */
async function expectOwnSequence(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ own: boolean }>(
    `SELECT has_sequence_privilege(c.oid, 'USAGE') AS own FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
     WHERE relkind = 'S' AND r.rolname LIKE 'waypost_queue%'`,
  );
  expect(rows).toContainEqual({ own: false });
}
