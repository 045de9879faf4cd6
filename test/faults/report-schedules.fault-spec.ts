/**
 * Reports are mailed while the worker is killed again and again at random moments: while report emails are created,
 * stored and sent. Each address has one mail for each date; copies sent twice around a kill have the same Message-ID.
 */
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/avoid-quarantine.js';
import { mailedReport } from '../support/report-mailing.js';
import type { ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const KILLS = repetitions({ short: 2, full: 200 });
/** Of each round, in a new workspace: fewer mails than a workspace may send in a day. */
const SCHEDULES = repetitions({ short: 6, full: 60 });
const RECIPIENTS = 5;
/** Kills of a round. */
const A_ROUND = 3;
/** Milliseconds that the mail server takes per message: slow enough to kill workers with mail in flight. */
const MAIL_DELAY = repetitions({ short: 160, full: 40 });
/** Mails that a process sends concurrently. */
const IN_HAND = 5;
/** A minute of product time takes a second. */
const SPEED = 60;

let fixture: WorkerFixture;

beforeAll(async () => {
  fixture = await startWorkerFixture({ CLOCK_SPEED: String(SPEED) });
  fixture.app.sink.delay = MAIL_DELAY;
  // Report emails are deleted one hour of product time after they were sent, which may be before a slow machine is
  // done; a trigger therefore records them.
  await fixture.database.query(`
    CREATE TABLE made_letters (workspace_id uuid);
    CREATE FUNCTION record_letter() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO made_letters VALUES (NEW.workspace_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_letter AFTER INSERT ON report_letters FOR EACH ROW EXECUTE FUNCTION record_letter();`);
});
afterAll(() => fixture?.close());

const newWorker = (): Promise<ServiceProcess> => fixture.startWorker('reports,notices');

/** Resolves when the new worker has created or sent a report email, so that kills interrupt work. */
const takenUp = (workspaceId: string, before: Rows): Promise<void> =>
  until('the new worker has taken the work up', async () => {
    const { letters, over } = await rows(workspaceId);
    return letters > before.letters || over > before.over || over === SCHEDULES * RECIPIENTS;
  });

/**
 * Inserts monthly reports that were due yesterday and are next due in two weeks at the earliest. @returns the
 * recipients.
 */
async function dueReports(workspaceId: string, round: number): Promise<string[]> {
  const due = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000);
  const dayOfMonth = (due.getUTCDate() + 14) % 28 || 28;
  const everybody: string[] = [];
  for (let n = 0; n < SCHEDULES; n++) {
    const recipients = Array.from({ length: RECIPIENTS }, (_, k) => ({
      email: `r${round}-${n}-${k}@example.com`,
    }));
    const formatOptions = { chart_image: n % 2 === 0, csv_attachment: n % 3 === 0, kpi_only: false };
    await mailedReport(fixture.database, workspaceId, due, {
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
  const { rows: found } = await fixture.database.query<Rows>(
    `SELECT (SELECT count(*)::int FROM made_letters WHERE workspace_id = $1) AS letters,
       count(*)::int AS mails, count(*) FILTER (WHERE status = 'sent')::int AS over FROM notices WHERE workspace_id = $1`,
    [workspaceId],
  );
  return found[0] as Rows;
}

test.each(Array.from({ length: Math.ceil(KILLS / A_ROUND) }, (_, round) => round))(
  `round %i of ${KILLS} kills: each address has one mail of its date`,
  async (round) => {
    const { database } = fixture;
    const states: string[] = [];
    let copies = 0;
    const { id } = await fixture.workspace();
    const everybody = await dueReports(id, round);
    const kills = Math.min(A_ROUND, KILLS - round * A_ROUND);
    for (let kill = 0; kill < kills; kill++) {
      const before = await rows(id);
      const worker = await newWorker();
      await nothingIsSuspectedTwice(database);
      await takenUp(id, before);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      worker.child.kill('SIGKILL');
      await worker.gone();
      const { letters, over } = await rows(id);
      states.push(`${letters}/${over}`);
    }
    const last = await newWorker();
    const isOver = async (): Promise<boolean> => (await rows(id)).over === SCHEDULES * RECIPIENTS;
    await until('everybody has it', isOver, () => rows(id));
    await last.stop();
    expect(await rows(id)).toEqual({
      letters: SCHEDULES,
      mails: SCHEDULES * RECIPIENTS,
      over: SCHEDULES * RECIPIENTS,
    });
    for (const address of everybody) {
      const names = fixture.app.sink.to(address).map(({ messageId }) => messageId);
      expect([address, new Set(names).size]).toEqual([address, 1]);
      copies += names.length - 1;
    }
    const { rows: due } = await database.query(
      'SELECT FROM report_schedules WHERE workspace_id = $1 AND (last_sent_at IS NULL OR next_send_at < now())',
      [id],
    );
    expect(due).toEqual([]);
    expect((await database.query('SELECT FROM set_aside_work')).rowCount).toBe(0);
    // Around each kill, only those in flight.
    expect(copies).toBeLessThanOrEqual(kills * IN_HAND);
    figure(
      `${kills} kills of a worker that mails reports, at letters/mails ${states.join(', ')}: nobody without, ` +
        `nobody with two, ${copies} copies under the same Message-ID`,
    );
  },
);
