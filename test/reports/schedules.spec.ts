/**
 * Scheduled reports by email: when they are sent, to which recipients and only once; what stops them, and their
 * contents.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { dkimVerify } from 'mailauth';
import pg from 'pg';
import {
  MAX_REPORT_EMAILS_PER_DAY,
  MAX_REPORT_EMAILS_PER_ADDRESS,
} from '../../src/modules/reports/domain/report-email-limits.js';
import { ScheduleChanges } from '../../src/modules/reports/application/schedule-changes.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { MailReports } from '../../src/modules/feedback/application/mail-reports.js';
import { MAX_CONFIRMATIONS } from '../../src/modules/reports/domain/recipient-state.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { mailedReport, type MailedReport } from '../support/report-mailing.js';
import { until } from '../support/until.js';

const QUEUES = ['reports', 'notices'] as const;
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const RECORD = `v=DKIM1; k=rsa; p=${KEYS.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const env = {
  RETURN_PATH_DOMAIN: 'bounces.acme.test',
  SHARED_DKIM_SELECTOR: 'w1',
  SHARED_DKIM_KEY: KEYS.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
};
let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ queues: QUEUES, env });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});
beforeEach(async () => {
  app.sink.verdict = () => undefined;
  workspace = await app.workspace();
  await admin.query(`UPDATE workspaces SET name = 'Acme' WHERE id = $1`, [workspace.id]);
});
// Later tests advance the clock by days, and this test's schedules would send every day.
afterEach(async () => {
  await admin.query('UPDATE report_schedules SET is_active = false, look_at = NULL WHERE workspace_id = $1', [
    workspace.id,
  ]);
});

const now = (): number => app.clock.now().getTime();
/** Advances the clock to 09:00 UTC, `days` days from now. */
function windTo(days: number): void {
  app.clock.wind((Math.floor(now() / DAY) + days) * DAY + 9 * HOUR - now());
}
/** The next 09:00 UTC. */
const nine = (): Date => {
  const today = Math.floor(now() / DAY) * DAY + 9 * HOUR;
  return new Date(today > now() ? today : today + DAY);
};
const report = (over: MailedReport = {}, at = nine()): Promise<string> =>
  mailedReport(admin, workspace.id, at, over);
const address = (id: string): string => `${id}@example.com`;
interface Standing {
  readonly next: Date;
  readonly last: Date | null;
  readonly look: Date | null;
}
async function standing(id: string): Promise<Standing> {
  const { rows } = await admin.query<Standing>(
    'SELECT next_send_at AS next, last_sent_at AS last, look_at AS look FROM report_schedules WHERE report_id = $1',
    [id],
  );
  return rows[0] as Standing;
}
/** Resolves when the next date of a schedule is in the future. */
const passed = (id: string): Promise<void> =>
  until(
    'the date has passed',
    async () => (await standing(id)).next.getTime() > now(),
    () => standing(id),
  );
const mails = (to: string): ReceivedMail[] => app.sink.to(to);
const arrived = (to: string, many: number): Promise<void> =>
  until(
    `${many} mails have come to ${to}`,
    () => mails(to).length >= many,
    () => mails(to).length,
  );
/** Resolves when no mail is in flight. */
const quiet = (): Promise<void> =>
  until('all mail is over', async () => {
    const { rows } = await admin.query(
      `SELECT FROM notices WHERE workspace_id = $1 AND status IN ('queued', 'sending')`,
      [workspace.id],
    );
    return rows.length === 0;
  });
const letters = async (id: string): Promise<number> =>
  (await admin.query('SELECT FROM report_letters WHERE report_id = $1', [id])).rowCount ?? 0;

test('each day at its hour, about the day before, and never twice', async () => {
  const id = await report();
  for (let day = 1; day <= 3; day++) {
    windTo(1);
    await arrived(address(id), day);
    await passed(id);
    expect(await standing(id)).toMatchObject({ next: new Date(now() + DAY), last: app.clock.now() });
  }
  await quiet();
  const subjects = await Promise.all(
    mails(address(id)).map(async (mail) => (await MailSink.parse(mail)).subject),
  );
  expect(new Set(subjects).size).toBe(3);
  for (const subject of subjects) expect(subject).toContain('Numbers');
  expect(new Set(mails(address(id)).map(({ messageId }) => messageId)).size).toBe(3);
});

test('a second before its hour nothing goes', async () => {
  windTo(1);
  app.clock.wind(HOUR);
  const id = await report({ hour: 11 }, new Date(now() + HOUR));
  const other = await report({}, new Date(now() + HOUR - 1_000));
  app.clock.wind(HOUR - 1_000);
  await arrived(address(other), 1);
  expect(mails(address(id))).toEqual([]);
  app.clock.wind(1_000);
  await arrived(address(id), 1);
});

test.each<[string, MailedReport, string, string]>([
  ['a week', { frequency: 'weekly', dayOfWeek: 2 }, '2026-11-25T09:00:00Z', '2026-12-02T09:00:00Z'],
  ['a month', { frequency: 'monthly', dayOfMonth: 28 }, '2027-01-28T09:00:00Z', '2027-02-28T09:00:00Z'],
  [
    'summer time begins',
    { timezone: 'America/New_York', hour: 2 },
    '2027-03-13T07:00:00Z',
    // On that day 02:00 is 03:00.
    '2027-03-14T07:00:00Z',
  ],
  [
    'the day behind it',
    { timezone: 'America/New_York', hour: 2 },
    '2027-03-14T07:00:00Z',
    '2027-03-15T06:00:00Z',
  ],
  ['half an hour', { timezone: 'Asia/Kathmandu', hour: 9 }, '2027-03-20T03:15:00Z', '2027-03-21T03:15:00Z'],
])('its next date: %s', async (_, over, at, next) => {
  const due = new Date(at);
  if (due.getTime() > now()) app.clock.wind(due.getTime() - now());
  const id = await report(over, due);
  await arrived(address(id), 1);
  await passed(id);
  expect((await standing(id)).next).toEqual(new Date(next));
});

test('of dates that were missed there is one mail, about the last of them', async () => {
  const due = new Date(Math.floor(now() / DAY) * DAY - 3 * DAY + 9 * HOUR);
  windTo(1);
  app.clock.wind(2 * HOUR);
  const id = await report({}, due);
  const last = await report({}, new Date(now() - 2 * HOUR));
  await arrived(address(id), 1);
  await arrived(address(last), 1);
  await passed(id);
  await quiet();
  expect(mails(address(id))).toHaveLength(1);
  expect((await standing(id)).next).toEqual(nine());
  const [late, punctual] = await Promise.all(
    [id, last].map(async (one) => MailSink.parse(mails(address(one))[0] as ReceivedMail)),
  );
  expect(late?.subject).toBe(punctual?.subject);
});

test('an address gets one mail, however often and however it is written; names stand beside it', async () => {
  const id = await report({
    recipients: [
      { email: 'Ada@Example.com', name: 'Ada "X"\r\nBcc: evil@example.com' },
      { email: ' ada@example.com' },
      { email: 'bob@example.com', name: null },
    ],
  });
  windTo(1);
  await until(
    'both are there',
    () =>
      mails('ada@example.com').length + mails('Ada@example.com').length > 0 &&
      mails('bob@example.com').length > 0,
  );
  await passed(id);
  await quiet();
  const mine = [...mails('Ada@example.com'), ...mails('ada@example.com')];
  expect([mine.length, mails('bob@example.com').length]).toEqual([1, 1]);
  const { to, headers } = await MailSink.parse(mine[0] as ReceivedMail);
  expect(to?.[0]?.name).toBe('Ada "X" Bcc: evil at example. com');
  expect(headers.map(({ key }) => key)).not.toContain('bcc');
});

test('one that is paused sends nothing', async () => {
  const paused = await report({ isActive: false });
  const other = await report();
  windTo(1);
  await arrived(address(other), 1);
  await quiet();
  expect([mails(address(paused)), await letters(paused)]).toEqual([[], 0]);
});

test('in a workspace that is suspended dates pass', async () => {
  const id = await report();
  await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
  windTo(1);
  await passed(id);
  expect([mails(address(id)), await letters(id), (await standing(id)).last]).toEqual([[], 0, null]);
  await admin.query(`UPDATE workspaces SET status = 'active' WHERE id = $1`, [workspace.id]);
  windTo(1);
  await arrived(address(id), 1);
});

test('a schedule of the test environment sends mail as well', async () => {
  const id = await report({ environment: 'test' });
  windTo(1);
  await arrived(address(id), 1);
});

test('a mail is read by mail programs: both forms, the chart in its place, the file, why it comes, a signature', async () => {
  const id = await report({
    name: 'Wöchentlich\r\nBcc: evil@example.com',
    formatOptions: { chart_image: true, csv_attachment: true, kpi_only: false },
  });
  windTo(1);
  await arrived(address(id), 1);
  const [mail] = mails(address(id)) as [ReceivedMail];
  const { subject, html, text, headers, from, attachments } = await MailSink.parse(mail);
  // The product's own mail contains no text from users that a mail program would turn into a link.
  expect(subject).toContain('Wöchentlich Bcc: evil at example. com');
  expect(headers.map(({ key }) => key)).not.toContain('bcc');
  expect(from).toEqual({ name: 'Waypost', address: 'no-reply@mail.localhost' });
  expect(headers.find(({ key }) => key === 'feedback-id')?.value).toBe(
    `report:product:${workspace.id}:waypost`,
  );
  const stopUrl = /^<(.+)>$/.exec(headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '')?.[1];
  expect(stopUrl).toMatch(`${app.config.baseUrl}/v1/public/reports/stop?token=`);
  expect(headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
    'List-Unsubscribe=One-Click',
  );
  const why = 'You receive this email because Acme sends it to this address every day.';
  for (const part of [html, text]) {
    expect(part).toContain(why);
    // No link requires an account that the reader may not have.
    expect(part?.match(/https?:[^\s"<]+/g)).toEqual([stopUrl]);
  }
  expect(html).toMatch(/<img [^>]*src="cid:chart"/);
  expect(
    attachments.map(({ mimeType, disposition, contentId }) => [mimeType, disposition, contentId]),
  ).toEqual([
    ['image/png', 'inline', '<chart>'],
    ['text/csv', 'attachment', undefined],
  ]);
  const [png, csv] = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
  expect(png?.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect(csv?.toString()).toMatch(/Sent/);
  expect(attachments[1]?.filename).not.toMatch(/[\r\n/\\"]/);
  expect(mail.raw).toMatch(/Content-Type: multipart\/mixed;/);
  for (const line of mail.raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  // It is not a message of the tenant and does not count toward its usage.
  const { rows } = await admin.query(
    `SELECT (SELECT count(*)::int FROM email_logs WHERE workspace_id = $1) AS logs,
       (SELECT count(*)::int FROM monthly_emails WHERE workspace_id = $1) AS months`,
    [workspace.id],
  );
  expect(rows).toEqual([{ logs: 0, months: 0 }]);
  const { results } = await dkimVerify(Buffer.from(mail.raw, 'latin1'), {
    resolver: async () => Promise.resolve([[RECORD]]),
  });
  expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
    ['pass', 'mail.localhost'],
  ]);
});

test('what has not left when a schedule stops does not go any more, and its letter is gone', async () => {
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const id = await report();
  windTo(1);
  await until('it was tried', async () => {
    const { rows } = await admin.query(
      `SELECT FROM notices WHERE subject_id = $1 AND error_code = 'temporary'`,
      [id],
    );
    return rows.length === 1;
  });
  await app.app
    .get(Database, { strict: false })
    .inScope({ workspaceId: workspace.id, environment: 'live' }, (tx) =>
      app.app
        .get(ScheduleChanges, { strict: false })
        .stopped(tx, { workspaceId: workspace.id, environment: 'test' }, id, app.clock.now()),
    );
  app.sink.verdict = () => undefined;
  const { rows } = await admin.query('SELECT status FROM notices WHERE subject_id = $1', [id]);
  expect([rows, await letters(id)]).toEqual([[{ status: 'withdrawn' }], 0]);
  app.clock.wind(2 * HOUR);
  await quiet();
  expect(mails(address(id))).toEqual([]);
});

test('a letter that is gone takes the mails along that were in hand', async () => {
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const id = await report();
  windTo(1);
  await until('it was tried', async () => {
    const { rows } = await admin.query(
      `SELECT FROM notices WHERE subject_id = $1 AND error_code = 'temporary'`,
      [id],
    );
    return rows.length === 1;
  });
  await admin.query('DELETE FROM report_letters WHERE report_id = $1', [id]);
  app.sink.verdict = () => undefined;
  app.clock.wind(10 * MINUTE);
  await quiet();
  const { rows } = await admin.query('SELECT status FROM notices WHERE subject_id = $1', [id]);
  expect([rows, mails(address(id))]).toEqual([[{ status: 'withdrawn' }], []]);
});

test('letters go once their mail is over, in a day, however long the next date is off', async () => {
  const id = await report({ frequency: 'monthly', dayOfMonth: 28 });
  windTo(1);
  await arrived(address(id), 1);
  await quiet();
  expect(await letters(id)).toBe(1);
  app.clock.wind(DAY);
  await until('it is gone', async () => (await letters(id)) === 0);
  expect(mails(address(id))).toHaveLength(1);
});

test('a date that has been sent is not sent again, whatever its schedule says', async () => {
  const due = nine();
  const id = await report();
  windTo(1);
  await arrived(address(id), 1);
  await passed(id);
  await admin.query('UPDATE report_schedules SET next_send_at = $2, look_at = $2 WHERE report_id = $1', [
    id,
    due,
  ]);
  await passed(id);
  // Nor when its report email was deleted.
  await admin.query('DELETE FROM report_letters WHERE report_id = $1', [id]);
  await admin.query('UPDATE report_schedules SET next_send_at = $2, look_at = $2 WHERE report_id = $1', [
    id,
    due,
  ]);
  await passed(id);
  await quiet();
  expect(mails(address(id))).toHaveLength(1);
});

test('a report that cannot be run is set aside and said to whose it is; once it is changed it goes again', async () => {
  const { rows: members } = await admin.query<{ id: string; email: string }>(
    'SELECT id, email FROM members WHERE workspace_id = $1',
    [workspace.id],
  );
  const [owner] = members;
  const id = await report({ config: { metrics: [] }, visibility: 'private', createdBy: owner?.id ?? null });
  windTo(1);
  await until('it is set aside', async () => (await standing(id)).look === null);
  await arrived(owner?.email ?? '', 1);
  const notification = await MailSink.parse(mails(owner?.email ?? '')[0] as ReceivedMail);
  expect(notification.subject).toBe('Acme: the report Numbers is no longer emailed');
  expect(notification.text).toContain('config.metrics');
  const work = `{ setAsideWork(first: 10) { edges { node { id kind reason } } } }`;
  const listed = async (): Promise<any[]> => (await workspace.graphql(work)).body.data.setAsideWork.edges;
  expect((await listed()).map(({ node }) => node.kind)).toEqual(['report_schedule']);
  await admin.query(`UPDATE reports SET config = $2, version = 2 WHERE id = $1`, [
    id,
    { data_source: 'email_logs', metrics: ['sent'], dimensions: [], filters: [] },
  ]);
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  await app.app
    .get(Database, { strict: false })
    .inScope(scope, (tx) =>
      app.app.get(ScheduleChanges, { strict: false }).reportChanged(tx, scope, id, app.clock.now()),
    );
  expect([await listed(), (await standing(id)).next]).toEqual([[], nine()]);
  expect(mails(address(id))).toEqual([]);
  windTo(1);
  await arrived(address(id), 1);
});

test('a private report that is nobody’s is set aside and told to nobody', async () => {
  const id = await report({ config: { metrics: [] }, visibility: 'private' });
  windTo(1);
  await until('it is set aside', async () => (await standing(id)).look === null);
  const { rows } = await admin.query('SELECT FROM notices WHERE workspace_id = $1', [workspace.id]);
  expect(rows).toEqual([]);
});

test('a private report stops while its maker is deactivated; one of the workspace goes on', async () => {
  const maker = randomUUID();
  await admin.query(
    `INSERT INTO members (workspace_id, id, email, email_key, name, role, is_active, invite_accepted_at, created_at, updated_at)
     VALUES ($1, $2, $3, $3, '', 'developer', false, $4, $4, $4)`,
    [workspace.id, maker, `${maker}@acme.test`, app.clock.now()],
  );
  const mine = await report({ visibility: 'private', createdBy: maker });
  const ours = await report({ visibility: 'workspace', createdBy: maker });
  windTo(1);
  await passed(mine);
  await passed(ours);
  await quiet();
  expect([mails(address(mine)).length, mails(address(ours)).length]).toEqual([0, 1]);
  expect(await standing(mine)).toMatchObject({ next: new Date(now() + DAY), last: null });
  await admin.query('UPDATE members SET is_active = true WHERE id = $1', [maker]);
  windTo(1);
  await arrived(address(mine), 1);
});

test('a workspace sends so much in a day and no more, an address gets so much', async () => {
  const had = (many: number, to: string): Promise<unknown> =>
    admin.query(
      `INSERT INTO notices (workspace_id, id, purpose, subject_id, kind, to_email, status, due_at, from_at, created_at, ended_at)
       SELECT $1, gen_random_uuid(), 'past:' || $3 || n, gen_random_uuid(), 'report', replace($3, '#', n::text), 'sent', $4::timestamptz + interval '40 days', $4, $4, $4
       FROM generate_series(1, $2) AS n`,
      [workspace.id, many, to, app.clock.now()],
    );
  windTo(1);
  await had(MAX_REPORT_EMAILS_PER_ADDRESS, 'much@example.com');
  const id = await report(
    { recipients: [{ email: 'MUCH@example.com' }, { email: 'little@example.com' }] },
    app.clock.now(),
  );
  await arrived('little@example.com', 1);
  await had(MAX_REPORT_EMAILS_PER_DAY - MAX_REPORT_EMAILS_PER_ADDRESS - 1, 'p#@example.com');
  const full = await report({}, app.clock.now());
  await passed(full);
  await quiet();
  expect([mails('MUCH@example.com'), mails(address(full)), (await standing(full)).last]).toEqual([
    [],
    [],
    null,
  ]);
  // A day later the limit allows more.
  windTo(1);
  app.clock.wind(1);
  await arrived(address(full), 1);
  await passed(id);
});

test.each([
  ['changed', `UPDATE reports SET name = 'Others', version = version + 1 WHERE id = $1`, 1],
  ['deleted', 'DELETE FROM reports WHERE id = $1', 0],
])('of a report that is %s while its letter is made, nothing goes as it was', async (_, change, many) => {
  const id = await report();
  const other = new pg.Client({ connectionString: app.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(change, [id]);
    windTo(1);
    await until('the letter waits to be stored', async () => {
      const { rows } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE OF r%'`,
      );
      return rows.length > 0;
    });
    await other.query('COMMIT');
  } finally {
    await other.end();
  }
  // Report emails are stored in order: this one follows the other, if that was stored.
  const behind = await report({}, app.clock.now());
  await arrived(address(behind), 1);
  await arrived(address(id), many);
  await quiet();
  expect(mails(address(id))).toHaveLength(many);
  for (const mail of mails(address(id))) expect((await MailSink.parse(mail)).subject).toContain('Others');
  await admin.query('DELETE FROM report_schedules WHERE report_id = $1', [id]);
});

test('two workers at once send each date once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await report());
  const second = await bootApp({ on: app, queues: QUEUES, env });
  try {
    windTo(1);
    for (const id of ids) await arrived(address(id), 1);
    for (const id of ids) await passed(id);
    await quiet();
    for (const id of ids) expect(mails(address(id))).toHaveLength(1);
  } finally {
    await second.end();
  }
});

describe('recipients', () => {
  const members = async (): Promise<string> => {
    const { rows } = await admin.query<{ id: string; email: string }>(
      'SELECT id, email FROM members WHERE workspace_id = $1',
      [workspace.id],
    );
    return rows[0]?.email ?? '';
  };
  const ownerId = async (): Promise<string> => {
    const { rows } = await admin.query<{ id: string }>('SELECT id FROM members WHERE workspace_id = $1', [
      workspace.id,
    ]);
    return rows[0]?.id ?? '';
  };
  const states = async (id: string): Promise<Record<string, string>> => {
    const { body } = await workspace.graphql(
      `{ report(id: "${id}") { schedule { recipientStates { email status changedAt } } } }`,
    );
    const listed: { email: string; status: string }[] = body.data.report.schedule.recipientStates;
    return Object.fromEntries(listed.map(({ email, status }) => [email, status]));
  };
  const linkIn = async (mail: ReceivedMail | undefined): Promise<string> => {
    const { text = '' } = await MailSink.parse(mail as ReceivedMail);
    const [link = ''] = /https?:\S+\/v1\/public\/reports\/\S+/.exec(text) ?? [];
    return link.replace(app.config.baseUrl, app.url);
  };
  /** Mail to an address whose subject contains these words. */
  const about = async (to: string, words: string): Promise<ReceivedMail[]> => {
    const parsed = await Promise.all(
      mails(to).map(async (mail) => ({ mail, subject: (await MailSink.parse(mail)).subject ?? '' })),
    );
    return parsed.filter(({ subject }) => subject.includes(words)).map(({ mail }) => mail);
  };

  test('who is not a member confirms once, by a button; members get it at once', async () => {
    const owner = await members();
    const nonMember = 'stranger@example.com';
    const id = await report({ isConfirmed: false, recipients: [{ email: owner }, { email: nonMember }] });
    expect(await states(id)).toEqual({ [owner]: 'confirmed', [nonMember]: 'pending' });
    windTo(1);
    await arrived(owner, 1);
    await arrived(nonMember, 1);
    const [asked] = mails(nonMember);
    expect((await MailSink.parse(asked as ReceivedMail)).subject).toBe(
      'Confirm that you want the report Numbers by email',
    );
    const link = await linkIn(asked);
    const question = await fetch(link);
    expect([question.status, await question.text()]).toEqual([
      200,
      expect.stringContaining('Receive this report'),
    ]);
    windTo(1);
    await arrived(owner, 2);
    await quiet();
    // Neither opening the page nor the next date has changed anything.
    expect([await states(id), mails(nonMember).length]).toEqual([
      { [owner]: 'confirmed', [nonMember]: 'pending' },
      1,
    ]);
    for (let n = 0; n < 2; n++) {
      const done = await fetch(link, { method: 'POST' });
      expect([done.status, await done.text()]).toEqual([
        200,
        expect.stringContaining('You receive this report'),
      ]);
    }
    expect(await states(id)).toEqual({ [owner]: 'confirmed', [nonMember]: 'confirmed' });
    windTo(1);
    await arrived(nonMember, 2);
    expect(await about(nonMember, 'Numbers: ')).toHaveLength(1);
  });

  test.each<[string, string | undefined, string | undefined]>([
    ['one click', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['one click as JSON', 'application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['JSON that is none', 'application/json', 'List-Unsubscribe=One-Click'],
    ['no body', undefined, undefined],
    ['a type of its own', 'x/y', 'z'],
    ['a form of 2 MB', 'application/x-www-form-urlencoded', `a=${'x'.repeat(2_000_000)}`],
    ['a form in parts', 'multipart/form-data; boundary=b', '--b--'],
  ])('%s stops the report for one recipient and one schedule', async (_, type, body) => {
    const recipients = [
      { email: `a-${randomUUID()}@example.com` },
      { email: `b-${randomUUID()}@example.com` },
    ];
    const [a, b] = recipients.map(({ email }) => email) as [string, string];
    const id = await report({ recipients });
    const other = await report({ recipients });
    windTo(1);
    await arrived(a, 2);
    await arrived(b, 2);
    const ofReport = (await Promise.all(mails(a).map(linkIn))).toSorted();
    const [link = ''] = ofReport;
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await fetch(link, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('no longer')]);
    const both = [await states(id), await states(other)];
    expect(both.map((state) => state[a]).toSorted()).toEqual(['confirmed', 'stopped']);
    expect(both.map((state) => state[b])).toEqual(['confirmed', 'confirmed']);
    windTo(1);
    await arrived(b, 4);
    await quiet();
    expect(mails(a)).toHaveLength(3);
  });

  test('who has stopped stays stopped, whoever adds the address again, and can turn it on', async () => {
    const id = await report();
    windTo(1);
    await arrived(address(id), 1);
    const stop = await linkIn(mails(address(id))[0]);
    const page = await (await fetch(stop, { method: 'POST' })).text();
    const recipients = [{ email: 'else@example.com' }];
    for (const list of [recipients, [...recipients, { email: address(id).toUpperCase() }]])
      expect((await workspace.call('PUT', `/v1/reports/${id}/schedule`, { recipients: list })).status).toBe(
        200,
      );
    expect(await states(id)).toEqual({
      'else@example.com': 'pending',
      [address(id).toUpperCase()]: 'stopped',
    });
    await quiet();
    expect(mails(address(id))).toHaveLength(1);
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(action.replaceAll('&#x3D;', '='), stop), { method: 'POST' })).status).toBe(
      200,
    );
    expect((await states(id))[address(id).toUpperCase()]).toBe('confirmed');
  });

  test.each(['', '?token=', '?token=abc'])('a link with %j is not valid', async (query) => {
    for (const path of ['stop', 'confirm'])
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${app.url}/v1/public/reports/${path}${query}`, { method });
        expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('not valid')]);
      }
  });

  test('a link that stops does not confirm', async () => {
    const id = await report();
    windTo(1);
    await arrived(address(id), 1);
    const stop = await linkIn(mails(address(id))[0]);
    expect((await fetch(stop.replace('/stop?', '/confirm?'), { method: 'POST' })).status).toBe(401);
  });

  test.each(['live', 'test'])('the suppression list of the %s environment is asked', async (environment) => {
    const recipients = [{ email: 'Dead@Example.com' }, { email: `alive-${randomUUID()}@example.com` }];
    const [, alive] = recipients.map(({ email }) => email) as [string, string];
    const id = await report({ recipients });
    await admin.query(
      `INSERT INTO suppressions (workspace_id, environment, id, address, reason, since, added_by, history)
       VALUES ($1, $2, gen_random_uuid(), 'dead@example.com', 'manual', now(), 'operator', '[]')`,
      [workspace.id, environment],
    );
    const before = mails('Dead@Example.com').length;
    windTo(1);
    await arrived(alive, 1);
    await quiet();
    expect(mails('Dead@Example.com')).toHaveLength(before);
    expect(await states(id)).toEqual({ 'Dead@Example.com': 'suppressed', [alive]: 'confirmed' });
  });

  test('nobody to mail to: the date passes without a letter', async () => {
    const id = await report({ isConfirmed: false });
    windTo(1);
    await passed(id);
    expect([await letters(id), (await standing(id)).last]).toEqual([0, null]);
  });

  /** A report about a mail that was returned: a bounce with its status, or a complaint. */
  function returned(mail: ReceivedMail, status: string | null): Buffer {
    const type = status === null ? 'feedback-report' : 'delivery-status';
    const about =
      status === null
        ? 'Feedback-Type: abuse\r\nUser-Agent: Some/1\r\nVersion: 1\r\n'
        : `Reporting-MTA: dns; mx.x.test\r\n\r\nFinal-Recipient: rfc822; a@x.test\r\nAction: failed\r\nStatus: ${status}\r\n`;
    return Buffer.from(
      [
        ...['From: MAILER-DAEMON@mx.x.test', `To: ${mail.from}`, 'Subject: Returned', 'MIME-Version: 1.0'],
        ...[`Content-Type: multipart/report; report-type=${type}; boundary="=_r"`, '', '--=_r'],
        ...['Content-Type: text/plain', '', 'Sorry.', '--=_r', `Content-Type: message/${type}`, '', about],
        ...['--=_r', 'Content-Type: text/rfc822-headers', '', mail.raw.split('\r\n\r\n')[0], '--=_r--', ''],
      ].join('\r\n'),
    );
  }

  test.each<[string, string | null, string]>([
    ['a hard bounce', '5.1.1', 'bounced'],
    ['a complaint', null, 'complained'],
    ['a full mailbox', '5.2.2', 'confirmed'],
  ])('%s', async (_, status, expected) => {
    const owner = await members();
    const id = await report({ createdBy: await ownerId(), visibility: 'private' });
    windTo(1);
    await arrived(address(id), 1);
    await quiet();
    const [mail] = mails(address(id)) as [ReceivedMail];
    expect(mail.from).toMatch(/^b-[a-z2-7]{42}@bounces\.acme\.test$/);
    const reports = app.app.get(MailReports, { strict: false });
    for (let n = 0; n < 2; n++) expect((await reports.process(returned(mail, status))).result).toBe('taken');
    expect(await states(id).catch(() => undefined)).toEqual({ [address(id)]: expected });
    await quiet();
    expect(await about(owner, `${address(id)} no longer receives the report Numbers`)).toHaveLength(
      expected === 'confirmed' ? 0 : 1,
    );
    windTo(1);
    await passed(id);
    await quiet();
    expect(mails(address(id))).toHaveLength(expected === 'confirmed' ? 2 : 1);
  });

  test('an address that the server rejects as dead in the session bounced, and asked anew it may come back', async () => {
    const id = await report();
    app.sink.verdict = ({ to }) =>
      to.includes(address(id)) ? { code: 550, text: '5.1.1 No such user here' } : undefined;
    windTo(1);
    await until('it is off', async () => (await states(id))[address(id)] === 'bounced');
    await arrived(await members(), 1);
    app.sink.verdict = () => undefined;
    for (const email of ['else@example.com', address(id)])
      await workspace.call('PUT', `/v1/reports/${id}/schedule`, { recipients: [{ email }] });
    expect(await states(id)).toEqual({ [address(id)]: 'pending' });
    await until('it is asked', async () => (await about(address(id), 'Confirm')).length === 1);
  });

  test('a workspace asks so many people a day, whatever it does at once; the others are asked later', async () => {
    const nonMembers = Array.from({ length: MAX_CONFIRMATIONS + 10 }, (_, n) => `many-${n}@example.com`);
    const made = await Promise.all(
      Array.from({ length: nonMembers.length / 10 }, async (_, n) => {
        const { body } = await workspace.call('POST', '/v1/reports', {
          name: `R${n}`,
          visibility: 'workspace',
        });
        const recipients = nonMembers.slice(n * 10, n * 10 + 10).map((email) => ({ email }));
        return workspace.call('POST', `/v1/reports/${body.id}/schedule`, { frequency: 'daily', recipients });
      }),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const asked = async (): Promise<number> => {
      const { rows } = await admin.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM notices WHERE workspace_id = $1 AND kind = 'report_confirmation'`,
        [workspace.id],
      );
      return rows[0]?.n ?? 0;
    };
    expect(await asked()).toBe(MAX_CONFIRMATIONS);
    app.clock.wind(DAY + HOUR);
    windTo(1);
    await until('the others are asked', async () => (await asked()) === nonMembers.length, asked);
  });

  test('a report that is deleted takes its recipients along; their links say so', async () => {
    const id = await report();
    windTo(1);
    await arrived(address(id), 1);
    const stop = await linkIn(mails(address(id))[0]);
    expect((await workspace.call('DELETE', `/v1/reports/${id}`)).status).toBe(204);
    const { rowCount } = await admin.query('SELECT FROM report_recipients WHERE report_id = $1', [id]);
    expect(rowCount).toBe(0);
    const answer = await fetch(stop, { method: 'POST' });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('no longer emailed')]);
  });
});
