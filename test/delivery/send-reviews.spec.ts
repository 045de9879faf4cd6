/** Messages that time-based gates hold are checked again when the gate's settings change, section 2.3. */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import { REVIEW_BATCH_ROWS, SendReviews } from '../../src/modules/delivery/application/send-reviews.js';
import { HELD_BY_SEND_HOURS } from '../../src/modules/delivery/persistence/send-review.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { HOUR } from '../support/clock.js';
import { until } from '../support/until.js';
import { GatesFixture, NINE_TO_FIVE, type Asked, type Settings } from './gates-fixture.js';
import type { SendingApp } from './sending-app.js';

let fixture: GatesFixture;
let app: SendingApp;

beforeAll(async () => {
  fixture = await GatesFixture.lay();
  ({ app } = fixture);
});
afterAll(() => fixture.clear());
beforeEach(() => {
  fixture.refresh();
  fixture.windTo(fixture.tomorrow('03:00:00'));
});

const QUIET = { dnd: { start: '22:00', end: '07:00' } };
const RESTS: Settings = { ignoreDnd: false };
const reviews = (scope: TenantScope) =>
  app.admin
    .query('SELECT look_at, after, again FROM send_reviews WHERE workspace_id = $1 AND environment = $2', [
      scope.workspaceId,
      scope.environment,
    ])
    .then(({ rows }) => rows);
const OVER = [{ look_at: null, after: null, again: false }];

describe('settings of the workspace', () => {
  test.each<[string, Asked, object, { gate: string; until: string } | 'sent' | 'suppressed']>([
    ['hours of rest that are cleared', { settings: RESTS, workspace: QUIET }, {}, 'sent'],
    [
      'hours of rest that end earlier',
      { settings: RESTS, workspace: QUIET },
      { dnd: { start: '22:00', end: '05:30' } },
      { gate: 'do_not_disturb', until: '05:30:00' },
    ],
    [
      'hours of rest that end later',
      { settings: RESTS, workspace: QUIET },
      { dnd: { start: '22:00', end: '08:00' } },
      { gate: 'do_not_disturb', until: '08:00:00' },
    ],
    ['a zone in which the window is open', { settings: NINE_TO_FIVE }, { timezone: 'Asia/Tokyo' }, 'sent'],
    [
      'a zone in which the window opens earlier',
      { settings: NINE_TO_FIVE },
      { timezone: 'Asia/Dubai' },
      { gate: 'send_window', until: '05:00:00' },
    ],
    [
      'hours of rest in which the whole window lies',
      { settings: { ...NINE_TO_FIVE, ignoreDnd: false } },
      { dnd: { start: '08:00', end: '18:00' } },
      'suppressed',
    ],
  ])('%s', async (_, asked, settings, expected) => {
    const { scope, id } = await fixture.asked(asked);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await fixture.isDue(scope)).toBe(false);
    await fixture.changeSettings(scope, settings);
    expect(await fixture.isDue(scope)).toBe(true);
    await app.drain(scope);
    if (typeof expected === 'string') expect(await app.log(id)).toMatchObject({ status: expected });
    else {
      const nextAttemptAt = new Date(fixture.today(expected.until));
      expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: expected.gate, nextAttemptAt });
    }
    expect(await reviews(scope)).toEqual(OVER);
    expect(await fixture.isDue(scope)).toBe(false);
  });

  test('what is held for another reason, or not at all, stays as it is', async () => {
    const { scope, id } = await fixture.asked({
      settings: { ...NINE_TO_FIVE, ...RESTS },
      workspace: QUIET,
      contact: { timezone: 'Europe/Berlin' },
    });
    await app.drain(scope);
    const before = await app.log(id);
    await fixture.changeSettings(scope, { dnd: { start: '22:00', end: '06:00' } });
    await app.drain(scope);
    expect(await app.log(id)).toEqual(before);
  });
});

test('many are looked at in bites, each for itself, and a change meanwhile begins anew', async () => {
  const scope = await app.workspace({ settings: QUIET });
  const held = { waitsFor: 'do_not_disturb', until: new Date(fixture.today('07:00:00')), settings: RESTS };
  await fixture.crowd(scope, 2 * REVIEW_BATCH_ROWS + 10, held);
  const untils = async (): Promise<Record<string, number>> => {
    const { rows } = await app.admin.query<{ until: Date; count: number }>(
      `SELECT next_attempt_at AS until, count(*)::int AS count FROM email_logs
       WHERE workspace_id = $1 AND status = 'queued' GROUP BY 1`,
      [scope.workspaceId],
    );
    return Object.fromEntries(rows.map(({ until, count }) => [until.toISOString().slice(11, 16), count]));
  };
  await fixture.changeSettings(scope, { dnd: { start: '22:00', end: '06:00' } });
  expect(await app.drain(scope)).toBe(true);
  expect(await untils()).toEqual({ '06:00': REVIEW_BATCH_ROWS, '07:00': REVIEW_BATCH_ROWS + 10 });
  await fixture.changeSettings(scope, { dnd: { start: '22:00', end: '05:00' } });
  expect(await app.drain(scope)).toBe(true);
  expect(await untils()).toEqual({ '05:00': REVIEW_BATCH_ROWS, '06:00': REVIEW_BATCH_ROWS, '07:00': 10 });
  for (let turn = 0; turn < 3; turn++) expect(await app.drain(scope)).toBe(true);
  expect(await app.drain(scope)).toBe(false);
  expect(await untils()).toEqual({ '05:00': 2 * REVIEW_BATCH_ROWS + 10 });
  expect(await reviews(scope)).toEqual(OVER);
  await app.admin.query('DELETE FROM email_logs WHERE workspace_id = $1', [scope.workspaceId]);
});

test('however many are held, a bite reads those that it looks at', async () => {
  const scope = await app.workspace();
  await fixture.crowd(scope, 20_000, { waitsFor: 'send_window', until: new Date(fixture.today('09:00:00')) });
  const bite = [scope.workspaceId, 'live', null, 10];
  expect(await fixture.pagesOf(HELD_BY_SEND_HOURS, bite)).toBeLessThan(150);
  await app.admin.query('DELETE FROM email_logs WHERE workspace_id = $1', [scope.workspaceId]);
});

test('who holds a message back keeps changes waiting, so that the review finds it', async () => {
  const { scope, id } = await fixture.asked({ settings: RESTS, workspace: QUIET });
  const wait = async (): Promise<number> =>
    (
      await app.admin.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      )
    ).rows.length;
  let change: Promise<void> | undefined;
  await app.module.get(Database).inScope(scope, async (tx) => {
    await app.module.get(SendReviews).share(tx, scope);
    change = fixture.changeSettings(scope, {});
    await until('the change waits', async () => (await wait()) > 0);
    await tx.query(
      `UPDATE email_logs SET waits_for = 'do_not_disturb', next_attempt_at = $2, held_until = $2 WHERE id = $1`,
      [id, new Date(fixture.today('07:00:00'))],
    );
  });
  await change;
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
});

describe('what the flow says of the step today', () => {
  const STEP = 7;
  async function ofFlow(settings: Settings | undefined) {
    const scope = await app.workspace();
    await app.template(scope);
    const flowId = uuidv7(app.clock.now().getTime());
    const contactId = await app.contact(scope);
    const options = settings ? { emailSendSettings: settings } : {};
    const ask = (more: object = {}) =>
      app.enqueue(scope, { contactId, sourceId: flowId, originStep: STEP, options, ...more });
    return { scope, flowId, contactId, ask, id: await ask() };
  }
  const says = (settings: Settings | null) => ({ rules: new Map([[STEP, settings]]) });

  test('a window that is changed, or taken away, is that of messages that wait', async () => {
    const { scope, flowId, id } = await ofFlow(NINE_TO_FIVE);
    await app.drain(scope);
    await fixture.changeFlow(scope, flowId, says({ ...NINE_TO_FIVE, sendWindowStart: '08:00' }));
    await app.drain(scope);
    const nextAttemptAt = new Date(fixture.today('08:00:00'));
    expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: 'send_window', nextAttemptAt });
    await fixture.changeFlow(scope, flowId, says(null));
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent' });
  });

  test('a window that a step has got holds messages of trips on older versions as well', async () => {
    const { scope, flowId, id, ask } = await ofFlow(undefined);
    await fixture.changeFlow(scope, flowId, says(NINE_TO_FIVE));
    const again = await ask({ origin: 'resend', originId: id, originStep: 1 });
    await app.drain(scope);
    for (const one of [id, again])
      expect(await app.log(one)).toMatchObject({ status: 'queued', waits_for: 'send_window' });
    fixture.wind(6 * HOUR);
    await app.drain(scope);
    for (const one of [id, again]) expect(await app.log(one)).toMatchObject({ status: 'sent' });
  });

  test('a step that is gone leaves its messages what they were told', async () => {
    const { scope, flowId, id } = await ofFlow(NINE_TO_FIVE);
    await fixture.changeFlow(scope, flowId, { rules: new Map() });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', waits_for: 'send_window' });
  });

  test('a process that has not heard of the change does not hold a message back by what was before', async () => {
    const { scope, flowId, id } = await ofFlow(NINE_TO_FIVE);
    app.rules.cached.set(flowId, new Map([[STEP, NINE_TO_FIVE]]));
    app.rules.current.set(flowId, new Map([[STEP, null]]));
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent' });
  });
});
