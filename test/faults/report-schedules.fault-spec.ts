/**
 * Reports are mailed while the worker is killed again and again, at random moments: while letters are made, stored and sent.
 * Each address has the mail of its date, and nobody has two: a copy that left twice around a kill has the same Message-ID.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/innocent.js';
import { MailSink } from '../support/mail-sink.js';
import { WORKSPACE_SEED } from '../support/open-workspace.js';
import { mailedReport } from '../support/report-mailing.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** REPORT_KILLS=200 is the long form, for a night. */
const KILLS = Number(process.env['REPORT_KILLS'] ?? 9);
/** Of each round, in a workspace of its own: fewer mails than it may send in a day. */
const SCHEDULES = 60;
const RECIPIENTS = 5;
/** Kills of a round. */
const A_ROUND = 3;
/** Mails that a process has in hand at once. */
const IN_HAND = 5;
/** A minute of the product takes a second. */
const SPEED = 60;
/** Only what hangs comes to it. */
const PATIENCE = Math.max(30 * 60_000, KILLS * 60_000);
const QUEUES = ['--queues=reports,notices'];

let dataDir: string;
let sink: MailSink;
let store: TestDatabase;
let database: pg.Client;
let env: Record<string, string>;
let worker: ServiceProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-report-schedules-'));
  sink = await MailSink.start();
  // Slow enough for workers to be killed while mail is on its way.
  sink.delay = 40;
  store = await createTestDatabase();
  database = new pg.Client({ connectionString: store.adminUrl });
  await database.connect();
  env = {
    ...{ PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: store.adminUrl },
    ...{ SMTP_URL: sink.url, CLOCK_SPEED: String(SPEED), LOG_LEVEL: 'info' },
  };
});
afterAll(async () => {
  await worker?.stop();
  await database?.end();
  await store?.drop();
  await sink?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function newWorker(): Promise<void> {
  worker = ServiceProcess.start('worker', env, QUEUES);
  await worker.wrote('The worker is ready');
}

/** Resolves when the new worker has made a letter or sent a mail, so that kills fall into its work. */
const takenUp = (workspaceId: string, before: Rows): Promise<void> =>
  until('the new worker has taken the work up', async () => {
    const { letters, over } = await rows(workspaceId);
    return letters > before.letters || over > before.over || over === SCHEDULES * RECIPIENTS;
  });

async function newWorkspace(name: string): Promise<string> {
  const file = join(dataDir, 'seed.json');
  writeFileSync(file, JSON.stringify({ workspaces: [{ ...WORKSPACE_SEED, name }] }));
  const seeded = (await ServiceProcess.cli(env, ['seed', file])) as { workspaces: { id: string }[] };
  return seeded.workspaces[0]?.id ?? '';
}

/** Monthly reports whose date was yesterday, and that have no other one for two weeks. @returns whom they are for. */
async function dueReports(workspaceId: string, round: number): Promise<string[]> {
  const due = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000);
  const dayOfMonth = (due.getUTCDate() + 14) % 28 || 28;
  const everybody: string[] = [];
  for (let n = 0; n < SCHEDULES; n++) {
    const recipients = Array.from({ length: RECIPIENTS }, (_, k) => ({
      email: `r${round}-${n}-${k}@example.com`,
    }));
    const formatOptions = { chart_image: n % 2 === 0, csv_attachment: n % 3 === 0, kpi_only: false };
    await mailedReport(database, workspaceId, due, {
      ...{ frequency: 'monthly', dayOfMonth, hour: 0, recipients, formatOptions },
    });
    everybody.push(...recipients.map(({ email }) => email));
  }
  return everybody;
}

interface Rows {
  readonly letters: number;
  readonly mails: number;
  readonly over: number;
}
async function rows(workspaceId: string): Promise<Rows> {
  const { rows: found } = await database.query<Rows>(
    `SELECT (SELECT count(*)::int FROM report_letters WHERE workspace_id = $1) AS letters,
       count(*)::int AS mails, count(*) FILTER (WHERE status = 'sent')::int AS over FROM notices WHERE workspace_id = $1`,
    [workspaceId],
  );
  return found[0] as Rows;
}

test(
  `${KILLS} kills: each address has one mail of its date`,
  async () => {
    const stands: string[] = [];
    let copies = 0;
    for (let killed = 0, round = 0; killed < KILLS; round++) {
      const id = await newWorkspace(`Acme ${round}`);
      const everybody = await dueReports(id, round);
      const kills = Math.min(A_ROUND, KILLS - killed);
      for (let kill = 0; kill < kills; kill++, killed++) {
        const before = await rows(id);
        await newWorker();
        await nothingIsSuspectedTwice(database);
        await takenUp(id, before);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
        worker.child.kill('SIGKILL');
        await worker.gone();
        const { letters, over } = await rows(id);
        stands.push(`${letters}/${over}`);
      }
      await newWorker();
      const isOver = async (): Promise<boolean> => (await rows(id)).over === SCHEDULES * RECIPIENTS;
      await until('everybody has it', isOver, () => rows(id));
      await worker.stop();
      expect(await rows(id)).toEqual({
        letters: SCHEDULES,
        mails: SCHEDULES * RECIPIENTS,
        over: SCHEDULES * RECIPIENTS,
      });
      for (const address of everybody) {
        const names = sink.to(address).map(({ messageId }) => messageId);
        expect([address, new Set(names).size]).toEqual([address, 1]);
        copies += names.length - 1;
      }
      const { rows: standing } = await database.query(
        'SELECT FROM report_schedules WHERE workspace_id = $1 AND (last_sent_at IS NULL OR next_send_at < now())',
        [id],
      );
      expect(standing).toEqual([]);
      expect((await database.query('SELECT FROM set_aside_work')).rowCount).toBe(0);
    }
    // Around each kill, those that were on their way alone.
    expect(copies).toBeLessThanOrEqual(KILLS * IN_HAND);
    figure(
      `${KILLS} kills of a worker that mails reports, at letters/mails ${stands.join(', ')}: nobody without, ` +
        `nobody with two, ${copies} copies under the same Message-ID`,
    );
  },
  PATIENCE,
);
