/** Windows and hours of rest hold messages back, section 2.3, on a clock that the test winds. */
import { HOUR } from '../support/clock.js';
import { GatesGround, NINE_TO_FIVE, type Asked } from './gates-ground.js';
import type { SendingApp } from './sending-app.js';

let ground: GatesGround;
let app: SendingApp;

beforeAll(async () => {
  ground = await GatesGround.lay();
  ({ app } = ground);
});
afterAll(() => ground.clear());
beforeEach(() => ground.refresh());

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
  ground.windTo(ground.tomorrow(before));
  const { scope, id } = await ground.asked(what);
  const opens = new Date(`${app.clock.now().toISOString().slice(0, 10)}T${opening}Z`);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 0, next_attempt_at: opens });
  expect(await ground.shown(scope, id)).toMatchObject({ waitsFor: gate, nextAttemptAt: opens });
  expect(await ground.isDue(scope)).toBe(false);
  expect(app.outcomes.settledLogs.some((one) => one.id === id)).toBe(false);

  ground.windTo(opens.toISOString());
  expect(await ground.isDue(scope)).toBe(true);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 1 });
  expect(await ground.shown(scope, id)).toMatchObject({ waitsFor: null });
  expect(ground.sink.mails).toHaveLength(1);
});

test('hold back nothing that does not say so', async () => {
  ground.windTo(ground.tomorrow('03:00:00'));
  const { scope, id } = await ground.asked({ workspace: { dnd: { start: '22:00', end: '07:00' } } });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
});

test('are asked again when the message is due: facts change meanwhile', async () => {
  ground.windTo(ground.tomorrow('12:00:00'));
  const { scope, id, contactId } = await ground.asked({
    settings: { ...NINE_TO_FIVE, sendWindowEnd: '10:00' },
  });
  await app.drain(scope);
  await app.admin.query(`UPDATE contacts SET timezone = 'Pacific/Apia' WHERE id = $1`, [contactId]);
  ground.windTo(ground.tomorrow('09:00:00'));
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
  ground.windTo(ground.tomorrow('03:00:00'));
  const { scope, id } = await ground.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  await app.admin.query(`${change} WHERE workspace_id = $1`, [scope.workspaceId]);
  ground.wind(6 * HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject(expected);
  expect(ground.sink.mails).toEqual([]);
});

test('a message called off while it waits is cancelled and never goes', async () => {
  ground.windTo(ground.tomorrow('03:00:00'));
  const { scope, id } = await ground.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  const { origin_id: originId } = await app.log(id);
  await ground.callOff(scope, [originId]);
  ground.wind(6 * HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
  expect(await ground.shown(scope, id)).toMatchObject({ waitsFor: null });
});

test('hours that never agree suppress the message', async () => {
  ground.windTo(ground.tomorrow('12:00:00'));
  const { scope, id } = await ground.asked({
    settings: { ...NINE_TO_FIVE, ignoreDnd: false },
    workspace: { dnd: { start: '08:00', end: '18:00' } },
  });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'suppressed', suppressed_reason: 'no_open_hours' });
});

test('a day of tries begins when the window opens', async () => {
  ground.windTo(ground.tomorrow('03:00:00'));
  const { scope, id } = await ground.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  ground.sink.verdict = () => ({ code: 451, text: 'later' });
  ground.wind(6 * HOUR);
  for (let attempt = 0; attempt < 7; attempt++) {
    await app.drain(scope);
    ground.wind(HOUR);
  }
  expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 7 });
});
