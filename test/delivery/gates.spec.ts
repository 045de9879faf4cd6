/** What holds messages back, section 2.3: windows, hours of rest, caps and throttles, on a clock that the test winds. */
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { MessageCancellation } from '../../src/modules/delivery/application/message-cancellation.js';
import { SendExchange } from '../../src/modules/delivery/application/send-exchange.js';
import { NOTHING_RECORDED, type ClaimedSend } from '../../src/modules/delivery/domain/claimed-send.js';
import { Database } from '../../src/platform/database/database.js';
import type { EmailSendSettings } from '../../src/kernel/email-settings.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import { DUE_SENDS } from '../../src/modules/delivery/persistence/due-sends.repository.js';
import { RELEASE } from '../../src/modules/delivery/persistence/send-line.repository.js';
import { SendsStage } from '../../src/modules/delivery/queue/sends.stage.js';
import { DAY, HOUR } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type LogRow, type SendingApp } from './sending-app.js';

const MINUTE = 60_000;
const SECOND = 1_000;

let database: TestDatabase;
let sink: MailSink;
/** Two processes as far as the database is concerned. */
let app: SendingApp;
let other: SendingApp;

beforeAll(async () => {
  database = await createTestDatabase();
  sink = await MailSink.start();
  app = await startSending(database, sink.url);
  other = await startSending(database, sink.url);
});

afterAll(async () => {
  await other.close();
  await app.close();
  await sink.stop();
  await database.drop();
});

beforeEach(() => {
  sink.verdict = () => undefined;
  sink.mails.length = 0;
  app.throttles.clear();
  other.throttles.clear();
});

/** Winds both clocks to a moment, which must not have passed. */
function windTo(moment: string): void {
  for (const { clock } of [app, other]) {
    const ahead = Date.parse(moment) - clock.now().getTime();
    expect(ahead).toBeGreaterThanOrEqual(0);
    clock.wind(ahead);
  }
}

function wind(milliseconds: number): void {
  for (const { clock } of [app, other]) clock.wind(milliseconds);
}

/** The next day's beginning in UTC. */
function tomorrow(time: string): string {
  const day = new Date(Math.floor(app.clock.now().getTime() / DAY) * DAY + DAY);
  return `${day.toISOString().slice(0, 10)}T${time}Z`;
}

const callOff = (scope: TenantScope, originIds: readonly string[]): Promise<void> =>
  app.module
    .get(Database)
    .inScope(scope, (tx) =>
      app.module
        .get(MessageCancellation, { strict: false })
        .cancel(tx, scope, 'trip', originIds, app.clock.now()),
    );

type Settings = Partial<EmailSendSettings>;
const NINE_TO_FIVE: Settings = { sendWindowEnabled: true, sendWindowStart: '09:00', sendWindowEnd: '17:00' };

interface Asked {
  readonly settings?: Settings;
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly contact?: Readonly<Record<string, unknown>>;
}

async function asked({ settings = {}, workspace = {}, contact = {} }: Asked) {
  const scope = await app.workspace({ settings: workspace });
  const contactId = await app.contact(scope, contact);
  await app.template(scope);
  const id = await app.enqueue(scope, { contactId, options: { emailSendSettings: settings } });
  return { scope, contactId, id };
}

const shown = (scope: TenantScope, id: string) =>
  app.module.get(EmailLogService, { strict: false }).find(scope, id);
const isDue = async (scope: TenantScope): Promise<boolean> =>
  (await app.module.get(SendsStage).due(app.clock.now())).scopes.some(
    ({ workspaceId }) => workspaceId === scope.workspaceId,
  );

describe('clocks on the wall', () => {
  test.each<[string, Asked, string, string, string]>([
    [
      "the contact's zone",
      { settings: NINE_TO_FIVE, contact: { timezone: 'America/New_York' } },
      '05:00:00',
      '14:00:00',
      'send_window',
    ],
    [
      'a named zone',
      {
        settings: { ...NINE_TO_FIVE, sendWindowTimezone: 'Asia/Kathmandu' },
        contact: { timezone: 'America/New_York' },
      },
      '02:00:00',
      '03:15:00',
      'send_window',
    ],
    [
      "the workspace's zone",
      { settings: NINE_TO_FIVE, workspace: { timezone: 'Asia/Kathmandu' } },
      '02:00:00',
      '03:15:00',
      'send_window',
    ],
    ['UTC', { settings: NINE_TO_FIVE }, '08:59:59', '09:00:00', 'send_window'],
    [
      'over midnight',
      { settings: { ...NINE_TO_FIVE, sendWindowStart: '22:00', sendWindowEnd: '06:00' } },
      '06:00:00',
      '22:00:00',
      'send_window',
    ],
    [
      'hours of rest',
      { settings: { ignoreDnd: false }, workspace: { dnd: { start: '22:00', end: '07:00' } } },
      '03:00:00',
      '07:00:00',
      'do_not_disturb',
    ],
  ])('hold a message back: %s', async (_, what, before, opening, gate) => {
    windTo(tomorrow(before));
    const { scope, id } = await asked(what);
    const opens = new Date(`${app.clock.now().toISOString().slice(0, 10)}T${opening}Z`);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 0, next_attempt_at: opens });
    expect(await shown(scope, id)).toMatchObject({ waitsFor: gate, nextAttemptAt: opens });
    expect(await isDue(scope)).toBe(false);
    expect(app.outcomes.settledLogs.some((one) => one.id === id)).toBe(false);

    windTo(opens.toISOString());
    expect(await isDue(scope)).toBe(true);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(await shown(scope, id)).toMatchObject({ waitsFor: null });
    expect(sink.mails).toHaveLength(1);
  });

  test('hold back nothing that does not say so', async () => {
    windTo(tomorrow('03:00:00'));
    const { scope, id } = await asked({ workspace: { dnd: { start: '22:00', end: '07:00' } } });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent' });
  });

  test('are asked again when the message is due: facts change meanwhile', async () => {
    windTo(tomorrow('12:00:00'));
    const { scope, id, contactId } = await asked({ settings: { ...NINE_TO_FIVE, sendWindowEnd: '10:00' } });
    await app.drain(scope);
    await app.admin.query(`UPDATE contacts SET timezone = 'Pacific/Apia' WHERE id = $1`, [contactId]);
    windTo(tomorrow('09:00:00'));
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', waits_for: 'send_window' });
  });

  test.each([
    [
      'a contact that unsubscribes',
      `UPDATE contacts SET subscription_status = 'unsubscribed'`,
      { status: 'suppressed', suppressed_reason: 'unsubscribed' },
    ],
    [
      'a contact that is deleted',
      `UPDATE contacts SET subscription_status = 'deleted'`,
      { status: 'suppressed', suppressed_reason: 'contact_deleted' },
    ],
    [
      'a template that is deleted',
      'DELETE FROM templates',
      { status: 'failed', error_code: 'template_not_found' },
    ],
  ])('find %s while the message waits', async (_, change, expected) => {
    windTo(tomorrow('03:00:00'));
    const { scope, id } = await asked({ settings: NINE_TO_FIVE });
    await app.drain(scope);
    await app.admin.query(`${change} WHERE workspace_id = $1`, [scope.workspaceId]);
    wind(6 * HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject(expected);
    expect(sink.mails).toEqual([]);
  });

  test('a message called off while it waits is cancelled and never goes', async () => {
    windTo(tomorrow('03:00:00'));
    const { scope, id } = await asked({ settings: NINE_TO_FIVE });
    await app.drain(scope);
    const { origin_id: originId } = await app.log(id);
    await callOff(scope, [originId]);
    wind(6 * HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
    expect(await shown(scope, id)).toMatchObject({ waitsFor: null });
  });

  test('hours that never agree suppress the message', async () => {
    windTo(tomorrow('12:00:00'));
    const { scope, id } = await asked({
      settings: { ...NINE_TO_FIVE, ignoreDnd: false },
      workspace: { dnd: { start: '08:00', end: '18:00' } },
    });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'suppressed', suppressed_reason: 'no_open_hours' });
  });

  test('a day of tries begins when the window opens', async () => {
    windTo(tomorrow('03:00:00'));
    const { scope, id } = await asked({ settings: NINE_TO_FIVE });
    await app.drain(scope);
    sink.verdict = () => ({ code: 451, text: 'later' });
    wind(6 * HOUR);
    for (let attempt = 0; attempt < 7; attempt++) {
      await app.drain(scope);
      wind(HOUR);
    }
    expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 7 });
  });
});

describe('the cap', () => {
  const CAPPED: Settings = { ignoreFrequencyCapping: false, countForFrequencyCapping: true };
  const fates = async (scope: TenantScope): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { status } of await app.logs(scope)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  async function capped(max: number) {
    const scope = await app.workspace({
      settings: { frequency_cap: { max, period_hours: 24 } },
    });
    await app.template(scope);
    return scope;
  }

  test('suppresses what goes beyond it, and what does not heed it goes on', async () => {
    const scope = await capped(1);
    const contactId = await app.contact(scope);
    const ask = (emailSendSettings: Settings) =>
      app.enqueue(scope, { contactId, options: { emailSendSettings } });
    const uncounted = await ask({ ignoreFrequencyCapping: false });
    await app.drain(scope);
    const first = await ask(CAPPED);
    await app.drain(scope);
    const second = await ask(CAPPED);
    const free = await ask({ countForFrequencyCapping: true });
    await app.drain(scope);
    expect(await app.log(uncounted)).toMatchObject({ status: 'sent' });
    expect(await app.log(first)).toMatchObject({ status: 'sent' });
    expect(await app.log(second)).toMatchObject({ status: 'suppressed', suppressed_reason: 'frequency_cap' });
    expect(await app.log(free)).toMatchObject({ status: 'sent' });

    wind(24 * HOUR - SECOND);
    const early = await ask(CAPPED);
    await app.drain(scope);
    wind(SECOND);
    const later = await ask(CAPPED);
    await app.drain(scope);
    expect(await app.log(early)).toMatchObject({ status: 'suppressed' });
    expect(await app.log(later)).toMatchObject({ status: 'sent' });
  });

  test('has no more places than it says, however many lanes and processes send', async () => {
    const scope = await capped(3);
    const contacts = [await app.contact(scope), await app.contact(scope)];
    for (const contactId of contacts)
      for (let count = 0; count < 40; count++)
        await app.enqueue(scope, { contactId, options: { emailSendSettings: CAPPED } });
    for (let turn = 0; turn < 5; turn++) {
      await Promise.all([app.drain(scope), other.drain(scope)]);
      wind(3 * SECOND);
    }
    expect(await fates(scope)).toEqual({ sent: 6, suppressed: 74 });
    for (const contactId of contacts) expect(sink.to(`${contactId}@example.com`)).toHaveLength(3);
  });

  test('a place whose message was refused is given to the next', async () => {
    const scope = await capped(1);
    const contactId = await app.contact(scope);
    for (let count = 0; count < 2; count++)
      await app.enqueue(scope, { contactId, options: { emailSendSettings: CAPPED } });
    let answers = 0;
    sink.verdict = () => (answers++ === 0 ? { code: 550, text: 'no' } : undefined);
    await app.drain(scope);
    expect(await fates(scope)).toEqual({ failed: 1, queued: 1 });
    wind(2 * SECOND);
    await app.drain(scope);
    expect(await fates(scope)).toEqual({ failed: 1, sent: 1 });
  });
});

describe('a throttle', () => {
  async function throttled(limit: number, messages: number, settings: Settings = {}) {
    const scope = await app.workspace();
    await app.template(scope);
    const flowId = uuidv7(app.clock.now().getTime());
    setLimit(flowId, limit);
    const add = async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let made = 0; made < count; made++) {
        const contactId = await app.contact(scope);
        ids.push(
          await app.enqueue(scope, { contactId, sourceId: flowId, options: { emailSendSettings: settings } }),
        );
        wind(1);
      }
      return ids;
    };
    return { scope, flowId, add, ids: await add(messages) };
  }

  function setLimit(flowId: string, limit: number | undefined): void {
    for (const { throttles } of [app, other])
      if (limit === undefined) throttles.delete(flowId);
      else throttles.set(flowId, { limit, period: 'hour' });
  }

  const drainBoth = (scope: TenantScope) => Promise.all([app.drain(scope), other.drain(scope)]);
  const sent = async (scope: TenantScope): Promise<LogRow[]> =>
    (await app.logs(scope)).filter(({ status }) => status === 'sent');

  test('lets as many go as it says, the others in their order as slots become free', async () => {
    const { scope, ids } = await throttled(2, 5);
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const opens = new Date(app.clock.now().getTime() + HOUR);
    wind(2 * SECOND);
    await app.drain(scope);
    expect(await shown(scope, ids[2]!)).toMatchObject({ waitsFor: 'throttle', nextAttemptAt: opens });

    windTo(new Date(opens.getTime() - 1).toISOString());
    await app.drain(scope);
    expect(await sent(scope)).toHaveLength(2);
    windTo(opens.toISOString());
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual(ids.slice(0, 4));
    wind(HOUR);
    await app.drain(scope);
    expect(await sent(scope)).toHaveLength(5);
    wind(HOUR);
    expect(await isDue(scope)).toBe(false);
  });

  test('is exact with two processes: never more in any hour, in order, and nothing is lost', async () => {
    const { scope, ids } = await throttled(7, 60);
    for (let turn = 0; turn < 200 && (await sent(scope)).length < ids.length; turn++) {
      await drainBoth(scope);
      wind(7 * MINUTE);
    }
    const rows = await sent(scope);
    expect(rows).toHaveLength(ids.length);
    expect(sink.mails).toHaveLength(ids.length);
    const moments = rows.map(({ sent_at: at }) => at!.getTime());
    // Who gets the slots that are free when all ask at once is nobody's order; the rest goes in that of the line.
    const waited = moments.filter((moment) => moment > Math.min(...moments));
    expect(waited).toEqual(waited.toSorted((one, next) => one - next));
    for (const moment of moments)
      expect(moments.filter((one) => one >= moment && one < moment + HOUR).length).toBeLessThanOrEqual(7);
    // An hour holds seven: sixty are done within nine of them, and what looking again costs.
    expect(Math.max(...moments) - Math.min(...moments)).toBeLessThan(9 * (HOUR + 7 * MINUTE));
  });

  test('who comes later stands behind whoever waits', async () => {
    const { scope, ids, add } = await throttled(1, 2);
    await app.drain(scope);
    wind(30 * MINUTE);
    const [late] = await add(1);
    await app.drain(scope);
    wind(31 * MINUTE);
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual(ids);
    wind(HOUR);
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual([...ids, late]);
  });

  test('a higher limit, and none, hold for those who wait already', async () => {
    const { scope, flowId } = await throttled(1, 6);
    await app.drain(scope);
    setLimit(flowId, 3);
    wind(15 * SECOND);
    await app.drain(scope);
    expect(await sent(scope)).toHaveLength(3);
    setLimit(flowId, undefined);
    wind(15 * SECOND);
    await app.drain(scope);
    expect(await sent(scope)).toHaveLength(6);
  });

  test('a slot of a message that does not go out is free at once', async () => {
    const { scope, ids } = await throttled(1, 3);
    let refusals = 0;
    sink.verdict = () => (refusals++ === 0 ? { code: 550, text: 'no' } : undefined);
    await app.drain(scope);
    wind(2 * SECOND);
    await app.drain(scope);
    expect(await app.log(ids[0]!)).toMatchObject({ status: 'failed' });
    expect((await sent(scope)).map(({ id }) => id)).toEqual([ids[1]]);
  });

  test('those that are called off leave the line, and their slots to others', async () => {
    const { scope, ids } = await throttled(2, 5);
    await app.drain(scope);
    const originIds = (await app.logs(scope)).slice(2, 4).map(({ origin_id: originId }) => originId);
    await callOff(scope, originIds);
    wind(HOUR + SECOND);
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual([ids[0], ids[1], ids[4]]);
    wind(2 * HOUR);
    await app.drain(scope);
    const { rows } = await app.admin.query('SELECT look_at FROM send_lines WHERE workspace_id = $1', [
      scope.workspaceId,
    ]);
    expect(rows).toEqual([{ look_at: null }]);
  });

  test('a message that is asked for once more stands in the line as well, and is called off with its trip', async () => {
    const { scope, flowId, ids } = await throttled(1, 1);
    await app.drain(scope);
    const { origin_id: tripId, contact_id: contactId } = await app.log(ids[0]!);
    const again = {
      contactId,
      sourceId: flowId,
      origin: 'resend',
      originId: ids[0]!,
      originStep: 1,
    } as const;
    const id = await app.enqueue(scope, again);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued' });
    expect(await shown(scope, id)).toMatchObject({ waitsFor: 'throttle' });
    await callOff(scope, [tripId]);
    wind(HOUR + SECOND);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
    expect(sink.mails).toHaveLength(1);
  });

  test('a message that was being sent as its process died keeps its slot, and goes with it', async () => {
    const { scope, ids } = await throttled(1, 2);
    await app.admin.query(
      `UPDATE email_logs SET status = 'sending', sender = 1, attempts = 1, has_slot = true, updated_at = $2 WHERE id = $1`,
      [ids[0], app.clock.now()],
    );
    wind(3 * SECOND);
    await app.drain(scope);
    expect((await sent(scope)).map(({ id }) => id)).toEqual([ids[0]]);
    wind(HOUR);
    await app.drain(scope);
    expect(await sent(scope)).toHaveLength(2);
  });

  test('holds with a window: outside of it nobody takes a slot from others', async () => {
    windTo(tomorrow('08:00:00'));
    const { scope } = await throttled(2, 5, NINE_TO_FIVE);
    await drainBoth(scope);
    expect(await sent(scope)).toEqual([]);
    for (let hour = 0; hour < 8; hour++) {
      windTo(`${app.clock.now().toISOString().slice(0, 10)}T${String(9 + hour).padStart(2, '0')}:00:30Z`);
      await drainBoth(scope);
    }
    expect(await sent(scope)).toHaveLength(5);
  });
});

test('however long a line is, letting the first go and looking for due work read a few pages', async () => {
  const scope = await app.workspace();
  const flowId = uuidv7(app.clock.now().getTime());
  const now = app.clock.now();
  await app.admin.query(
    `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, contact_id, source_id, template_slug,
       content_type, priority, status, waits_for, message_id, next_attempt_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'trip', gen_random_uuid(), 0, 'live', $1, $2, 'x', 'promotional', 1, 'queued', 'throttle',
       '', '9999-12-31', $3, $3 FROM generate_series(1, 20000)`,
    [scope.workspaceId, flowId, now],
  );
  await app.admin.query('VACUUM ANALYZE email_logs');
  const pagesOf = async (sql: string, values: readonly unknown[]): Promise<number> => {
    await app.admin.query('BEGIN');
    const { rows } = await app.admin.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      [...values],
    );
    await app.admin.query('ROLLBACK');
    const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };
  const ten = [scope.workspaceId, flowId, 'live', now, 10, true];
  // Ten rows are written, in each of the table's indexes.
  expect(await pagesOf(RELEASE, ten)).toBeLessThan(600);
  expect(await pagesOf(DUE_SENDS, [now])).toBeLessThan(200);
  await app.admin.query('DELETE FROM email_logs WHERE workspace_id = $1', [scope.workspaceId]);
});

test('a message that is called off while it is being sent is not tried again', async () => {
  const { scope, id } = await asked({});
  const { origin_id: originId } = await app.log(id);
  const send = { id, attempts: 1, sender: 77 } as ClaimedSend;
  await app.admin.query(`UPDATE email_logs SET status = 'sending', sender = 77, attempts = 1 WHERE id = $1`, [
    id,
  ]);
  await callOff(scope, [originId]);
  expect(await app.log(id)).toMatchObject({ status: 'sending' });
  const later = { at: app.clock.now(), code: 'temporary', detail: '451 later', reissue: false } as const;
  const finished = { send, outcome: { kind: 'again', ...later }, record: NOTHING_RECORDED } as const;
  await app.module.get(SendExchange).exchange(scope, [finished], 0);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
});

/** As though a refusal had been stored while the trip was being ended: neither sees the other. */
async function refusedAsItsTripEnded(): Promise<{ scope: TenantScope; id: string }> {
  const { scope, id } = await asked({});
  sink.verdict = () => ({ code: 451, text: 'later' });
  await app.drain(scope);
  sink.verdict = () => undefined;
  const { origin_id: tripId, status, attempts } = await app.log(id);
  expect([status, attempts]).toEqual(['queued', 1]);
  app.endedTrips.add(tripId);
  return { scope, id };
}

test('a message is not tried again once its trip has ended, whatever its end has seen of it', async () => {
  const { scope, id } = await refusedAsItsTripEnded();
  app.outcomes.settledLogs.length = 0;
  wind(HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled', attempts: 1 });
  expect(app.outcomes.settledLogs).toMatchObject([{ id, before: 'queued', status: 'cancelled' }]);
  expect(sink.mails).toEqual([]);
});

test('what a person asks for once more is sent, also when its trip has ended', async () => {
  const { scope, id } = await refusedAsItsTripEnded();
  await app.admin.query("UPDATE email_logs SET status = 'unknown' WHERE id = $1", [id]);
  await app.module.get(EmailLogService, { strict: false }).resendUnknown(scope, id);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
  expect(sink.mails).toHaveLength(1);
});
