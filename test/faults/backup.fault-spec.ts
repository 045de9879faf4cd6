/**
 * A backup taken during work is restored into a new database, and the service continues on it: each event has its trips
 * once, transactional mail arrives, promotional mail is never sent twice.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { connected, databaseOf, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** The folder of pg_dump and pg_restore; without them the test is skipped, and the test command says so. */
const PROGRAMS = process.env['TEST_POSTGRES_15'];
const PEOPLE = 40;
const ACCOUNT = { name: 'waypost', password: 'waypost' };
/** Milliseconds; longer than the test takes. */
const NEVER = 3_600_000;

const run = promisify(execFile);

(PROGRAMS ? describe : describe.skip)('a backup of PostgreSQL 15', () => {
  let dataDir: string;
  let server: PostgresServer;
  let sink: MailSink;
  let url: string;
  let service: ServiceProcess;
  let workspace: OpenWorkspace;

  const start = (database: string): Promise<ServiceProcess> =>
    ServiceProcess.start('up', {
      PORT: new URL(url).port,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseOf(server.url, database, ACCOUNT),
      SMTP_URL: sink.url,
    }).ready(url);
  const createDatabase = (name: string): Promise<unknown> =>
    connected(server.url, (superuser) => superuser.query(`CREATE DATABASE ${name} OWNER ${ACCOUNT.name}`));
  const count = (database: string, what: string): Promise<number> =>
    connected(databaseOf(server.url, database), async (superuser) => {
      const { rows } = await superuser.query<{ count: number }>(`SELECT count(*)::int FROM ${what}`);
      return rows[0]?.count ?? 0;
    });
  const received = (text: string): number[] =>
    Array.from(
      { length: PEOPLE },
      (_, n) => sink.to(`u${n}@example.com`).filter(({ raw }) => raw.includes(text)).length,
    );

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'waypost-backup-'));
    server = await startPostgres('15');
    sink = await MailSink.start();
    await connected(server.url, (superuser) =>
      superuser.query(`CREATE ROLE ${ACCOUNT.name} LOGIN CREATEROLE PASSWORD '${ACCOUNT.password}'`),
    );
    await createDatabase('before');
    url = `http://127.0.0.1:${await freePort()}`;
    service = await start('before');
    workspace = await openWorkspace(url, dataDir);
    for (const type of ['transactional', 'promotional']) {
      await workspace.template(type, `<p>of the ${type} flow</p>`);
      await workspace.flow(type, 'signed_up', [
        { type: 'send_email', template_slug: type },
        { type: 'update_contact', set: { greeted: type } },
      ]);
    }
  });

  afterAll(async () => {
    await service?.stop();
    await sink?.stop();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('is restored, and work goes on', async () => {
    sink.delay = NEVER;
    for (let n = 0; n < PEOPLE; n++) expect(await workspace.signUp(`u${n}`)).toBe(true);
    await until(
      'messages of both flows are in flight, and others wait',
      async () =>
        received('promotional').includes(1) &&
        received('transactional').includes(1) &&
        (await count('before', `email_logs WHERE status IN ('queued', 'sending')`)) === 2 * PEOPLE,
    );

    const file = join(dataDir, 'waypost.dump');
    const program = (name: string): string => join(PROGRAMS ?? '', name);
    const dump = ['--format=custom', '--exclude-schema=bullmq', `--file=${file}`];
    // A backup lacks what the mail server accepted after it began, so backups are repeated until the mail server
    // accepts nothing more because every slot is busy.
    for (let taken = -1; taken < sink.mails.length;) {
      taken = sink.mails.length;
      await run(program('pg_dump'), [...dump, databaseOf(server.url, 'before')]);
    }
    await service.killTree();
    sink.delay = 0;
    await createDatabase('restored');
    await run(program('pg_restore'), [
      '--exit-on-error',
      `--dbname=${databaseOf(server.url, 'restored')}`,
      file,
    ]);
    service = await start('restored');

    await until(
      'nothing is left to send',
      async () => (await count('restored', `email_logs WHERE status IN ('queued', 'sending')`)) === 0,
    );
    expect(received('transactional').filter((times) => times < 1)).toEqual([]);
    expect(received('promotional').filter((times) => times > 1)).toEqual([]);
    const trips = '(SELECT flow_id, contact_id FROM trips GROUP BY 1, 2 HAVING count(*) > 1) AS twice';
    expect(await count('restored', trips)).toBe(0);
    expect(await count('restored', 'trips')).toBe(2 * PEOPLE);
    expect(await workspace.signUp('u-later')).toBe(true);
    await until('mail goes on', () => sink.to('u-later@example.com').length === 2);
  });
});
