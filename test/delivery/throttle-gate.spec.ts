/**
 * Throttles of flows, section 2.3, and the queues of messages that wait for them, on a clock that the test
 * controls.
 */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { NEVER_DUE } from '../../src/modules/delivery/domain/send-gates.js';
import { DUE_SENDS } from '../../src/modules/delivery/queue/sends.work.js';
import { RELEASE } from '../../src/modules/delivery/persistence/throttle-queue.repository.js';
import { DAY, HOUR } from '../support/clock.js';
import { GatesFixture, NINE_TO_FIVE } from './gates-fixture.js';
import type { SendingApp } from './sending-app.js';

const MINUTE = 60_000;
const SECOND = 1_000;

let fixture: GatesFixture;
let app: SendingApp;

beforeAll(async () => {
  fixture = await GatesFixture.lay();
  ({ app } = fixture);
});
afterAll(() => fixture.clear());
beforeEach(() => fixture.refresh());

const drainBoth = (scope: TenantScope) => Promise.all([app.drain(scope), fixture.other.drain(scope)]);
test('lets as many go as it says, the others in their order as slots become free', async () => {
  const { scope, ids } = await fixture.throttled(2, 5);
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const opens = new Date(app.clock.now().getTime() + HOUR);
  fixture.wind(2 * SECOND);
  await app.drain(scope);
  expect(await fixture.shown(scope, ids[2]!)).toMatchObject({ waitsFor: 'throttle', nextAttemptAt: opens });

  fixture.windTo(new Date(opens.getTime() - 1).toISOString());
  await app.drain(scope);
  expect(await fixture.sent(scope)).toHaveLength(2);
  fixture.windTo(opens.toISOString());
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual(ids.slice(0, 4));
  fixture.wind(HOUR);
  await app.drain(scope);
  expect(await fixture.sent(scope)).toHaveLength(5);
  fixture.wind(HOUR);
  expect(await fixture.isDue(scope)).toBe(false);
});

test('is exact with two processes: never more in any hour, in order, and nothing is lost', async () => {
  const { scope, ids } = await fixture.throttled(7, 60);
  for (let turn = 0; turn < 200 && (await fixture.sent(scope)).length < ids.length; turn++) {
    await drainBoth(scope);
    fixture.wind(7 * MINUTE);
  }
  const rows = await fixture.sent(scope);
  expect(rows).toHaveLength(ids.length);
  expect(fixture.sink.mails).toHaveLength(ids.length);
  const moments = rows.map(({ sent_at: at }) => at!.getTime());
  // The order in which concurrent senders get the free slots is undefined; all others follow the queue's order.
  const waited = moments.filter((moment) => moment > Math.min(...moments));
  expect(waited).toEqual(waited.toSorted((one, next) => one - next));
  for (const moment of moments)
    expect(moments.filter((one) => one >= moment && one < moment + HOUR).length).toBeLessThanOrEqual(7);
  // Seven may leave per hour, so sixty take less than nine hours, plus the time between checks.
  expect(Math.max(...moments) - Math.min(...moments)).toBeLessThan(9 * (HOUR + 7 * MINUTE));
});

test('who comes later stands behind whoever waits', async () => {
  const { scope, ids, add } = await fixture.throttled(1, 2);
  await app.drain(scope);
  fixture.wind(30 * MINUTE);
  const [late] = await add(1);
  await app.drain(scope);
  fixture.wind(31 * MINUTE);
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual(ids);
  fixture.wind(HOUR);
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual([...ids, late]);
});

test('a higher limit, and none, hold at once for those who wait already', async () => {
  const { scope, flowId } = await fixture.throttled(1, 6);
  await app.drain(scope);
  await fixture.changeFlow(scope, flowId, { limit: 3 });
  expect(await fixture.isDue(scope)).toBe(true);
  await app.drain(scope);
  expect(await fixture.sent(scope)).toHaveLength(3);
  await fixture.changeFlow(scope, flowId, {});
  await app.drain(scope);
  expect(await fixture.sent(scope)).toHaveLength(6);
});

test('a slot of a message that does not go out is free at once', async () => {
  const { scope, ids } = await fixture.throttled(1, 3);
  let refusals = 0;
  fixture.sink.verdict = () => (refusals++ === 0 ? { code: 550, text: 'no' } : undefined);
  await app.drain(scope);
  fixture.wind(2 * SECOND);
  await app.drain(scope);
  expect(await app.log(ids[0]!)).toMatchObject({ status: 'failed' });
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual([ids[1]]);
});

test('those that are called off leave the line, and their slots to others', async () => {
  const { scope, ids } = await fixture.throttled(2, 5);
  await app.drain(scope);
  const originIds = (await app.logs(scope)).slice(2, 4).map(({ origin_id: originId }) => originId);
  await fixture.callOff(scope, originIds);
  fixture.wind(HOUR + SECOND);
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual([ids[0], ids[1], ids[4]]);
  fixture.wind(2 * HOUR);
  await app.drain(scope);
  const { rows } = await app.admin.query('SELECT look_at FROM send_lines WHERE workspace_id = $1', [
    scope.workspaceId,
  ]);
  expect(rows).toEqual([{ look_at: null }]);
});

test('a message that is asked for once more stands in the line as well, and is called off with its trip', async () => {
  const { scope, flowId, ids } = await fixture.throttled(1, 1);
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
  expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: 'throttle' });
  await fixture.callOff(scope, [tripId]);
  fixture.wind(HOUR + SECOND);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
  expect(fixture.sink.mails).toHaveLength(1);
});

test('a message that was being sent as its process died keeps its slot, and goes with it', async () => {
  const { scope, ids } = await fixture.throttled(1, 2);
  await app.admin.query(
    `UPDATE email_logs SET status = 'sending', sender = 1, attempts = 1, has_slot = true, updated_at = $2 WHERE id = $1`,
    [ids[0], app.clock.now()],
  );
  fixture.wind(3 * SECOND);
  await app.drain(scope);
  expect((await fixture.sent(scope)).map(({ id }) => id)).toEqual([ids[0]]);
  fixture.wind(HOUR);
  await app.drain(scope);
  expect(await fixture.sent(scope)).toHaveLength(2);
});

test('holds with a window: outside of it nobody takes a slot from others', async () => {
  fixture.windTo(fixture.tomorrow('08:00:00'));
  const { scope } = await fixture.throttled(2, 5, NINE_TO_FIVE);
  await drainBoth(scope);
  expect(await fixture.sent(scope)).toEqual([]);
  for (let hour = 0; hour < 8; hour++) {
    fixture.windTo(
      `${app.clock.now().toISOString().slice(0, 10)}T${String(9 + hour).padStart(2, '0')}:00:30Z`,
    );
    await drainBoth(scope);
  }
  expect(await fixture.sent(scope)).toHaveLength(5);
});

test('however long a line is, letting the first go and looking for due work read a few pages', async () => {
  const scope = await app.workspace();
  const now = app.clock.now();
  const flowId = uuidv7(now.getTime());
  await fixture.crowd(scope, 20_000, { waitsFor: 'throttle', until: NEVER_DUE }, flowId);
  // Writes ten rows, in each of the table's indexes.
  const ten = [scope.workspaceId, flowId, 'live', now, 10, true];
  expect(await fixture.pagesOf(RELEASE, ten)).toBeLessThan(600);
  expect(await fixture.pagesOf(DUE_SENDS, [now])).toBeLessThan(200);
  await app.admin.query('DELETE FROM email_logs WHERE workspace_id = $1', [scope.workspaceId]);
});

describe('slots that were used stay used', () => {
  const resend = (scope: TenantScope, id: string) =>
    app.module.get(EmailLogService, { strict: false }).resendUnknown(scope, id);
  const ids = async (scope: TenantScope): Promise<string[]> =>
    (await fixture.sent(scope)).map(({ id }) => id);

  test('while the throttle is switched off and on again', async () => {
    const { scope, flowId, add } = await fixture.throttled(3, 2);
    await app.drain(scope);
    await fixture.changeFlow(scope, flowId, {});
    fixture.wind(10 * MINUTE);
    await add(2);
    await app.drain(scope);
    expect(await fixture.sent(scope)).toHaveLength(4);
    await fixture.changeFlow(scope, flowId, { limit: 3 });
    fixture.wind(10 * MINUTE);
    const later = await add(2);
    await app.drain(scope);
    expect(await fixture.sent(scope)).toHaveLength(4);
    // The first two are an hour old, so one more may leave; the other follows when those sent without a throttle
    // are an hour old.
    fixture.wind(40 * MINUTE);
    await app.drain(scope);
    expect((await ids(scope)).slice(4)).toEqual([later[0]]);
    fixture.wind(10 * MINUTE);
    await app.drain(scope);
    expect((await ids(scope)).slice(4)).toEqual(later);
  });

  test('when a message of unknown fate is sent again', async () => {
    const { scope, ids: made, add } = await fixture.throttled(2, 1);
    await app.drain(scope);
    await app.admin.query("UPDATE email_logs SET status = 'unknown' WHERE id = $1", [made[0]]);
    fixture.wind(30 * MINUTE);
    await resend(scope, made[0]!);
    await app.drain(scope);
    expect(await ids(scope)).toEqual(made);
    const [next, last] = await add(2);
    await app.drain(scope);
    expect(await ids(scope)).toEqual(made);
    fixture.wind(30 * MINUTE);
    await app.drain(scope);
    expect(await ids(scope)).toEqual([...made, next]);
    fixture.wind(30 * MINUTE);
    await app.drain(scope);
    expect(await ids(scope)).toEqual([...made, next, last]);
    // Sends that are older than every throttle's period are deleted.
    fixture.wind(DAY);
    await app.admin.query("UPDATE email_logs SET status = 'unknown' WHERE id = $1", [last]);
    await resend(scope, last!);
    const { rows } = await app.admin.query('SELECT email_log_id FROM spent_slots WHERE workspace_id = $1', [
      scope.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['refused for good', 550, { status: 'failed' }],
    ['refused for now', 451, { status: 'queued', has_slot: true }],
  ])('when a message that may have left with a crash is %s', async (_, code, expected) => {
    const { scope, ids: made } = await fixture.throttled(1, 2);
    await app.admin.query(
      `UPDATE email_logs SET status = 'sending', sender = 1, attempts = 1, has_slot = true, updated_at = $2 WHERE id = $1`,
      [made[0], app.clock.now()],
    );
    fixture.wind(3 * SECOND);
    fixture.sink.verdict = () => ({ code, text: 'no' });
    await app.drain(scope);
    fixture.sink.verdict = () => undefined;
    expect(await app.log(made[0]!)).toMatchObject(expected);
    fixture.wind(20 * SECOND);
    await app.drain(scope);
    expect(await app.log(made[1]!)).toMatchObject({ status: 'queued' });
    fixture.wind(2 * HOUR);
    await app.drain(scope);
    fixture.wind(2 * HOUR);
    await app.drain(scope);
    expect(await app.log(made[1]!)).toMatchObject({ status: 'sent' });
  });
});

test('a message that is being sent without a slot, as the throttle is switched on, counts', async () => {
  const { scope, flowId, ids: made, add } = await fixture.throttled(1, 1);
  await app.admin.query(
    `UPDATE email_logs SET status = 'sending', sender = $3, attempts = 1, updated_at = $2 WHERE id = $1`,
    [made[0], app.clock.now(), 77],
  );
  const [next] = await add(1);
  const { rows } = await app.admin.query('SELECT pg_try_advisory_lock(7288, 77) AS held');
  expect(rows).toEqual([{ held: true }]);
  await fixture.changeFlow(scope, flowId, { limit: 1 });
  await app.drain(scope);
  await app.admin.query('SELECT pg_advisory_unlock(7288, 77)');
  expect(await app.log(next!)).toMatchObject({ status: 'queued', waits_for: 'throttle' });
});
