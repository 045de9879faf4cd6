/** Send windows and quiet hours hold messages, section 2.3, on a clock that the test controls. */
import { HOUR } from '../support/clock.js';
import { GatesFixture, NINE_TO_FIVE, type Asked } from './gates-fixture.js';
import type { SendingApp } from './sending-app.js';

let fixture: GatesFixture;
let app: SendingApp;

beforeAll(async () => {
  fixture = await GatesFixture.lay();
  ({ app } = fixture);
});
afterAll(() => fixture.clear());
beforeEach(() => fixture.refresh());

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
  fixture.windTo(fixture.tomorrow(before));
  const { scope, id } = await fixture.asked(what);
  const opens = new Date(`${app.clock.now().toISOString().slice(0, 10)}T${opening}Z`);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 0, next_attempt_at: opens });
  expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: gate, nextAttemptAt: opens });
  expect(await fixture.isDue(scope)).toBe(false);
  expect(app.outcomes.settledLogs.some((one) => one.id === id)).toBe(false);

  fixture.windTo(opens.toISOString());
  expect(await fixture.isDue(scope)).toBe(true);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 1 });
  expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: null });
  expect(fixture.sink.mails).toHaveLength(1);
});

test('hold back nothing that does not say so', async () => {
  fixture.windTo(fixture.tomorrow('03:00:00'));
  const { scope, id } = await fixture.asked({ workspace: { dnd: { start: '22:00', end: '07:00' } } });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
});

test('are asked again when the message is due: facts change meanwhile', async () => {
  fixture.windTo(fixture.tomorrow('12:00:00'));
  const { scope, id, contactId } = await fixture.asked({
    settings: { ...NINE_TO_FIVE, sendWindowEnd: '10:00' },
  });
  await app.drain(scope);
  await app.admin.query(`UPDATE contacts SET timezone = 'Pacific/Apia' WHERE id = $1`, [contactId]);
  fixture.windTo(fixture.tomorrow('09:00:00'));
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
  fixture.windTo(fixture.tomorrow('03:00:00'));
  const { scope, id } = await fixture.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  await app.admin.query(`${change} WHERE workspace_id = $1`, [scope.workspaceId]);
  fixture.wind(6 * HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject(expected);
  expect(fixture.sink.mails).toEqual([]);
});

test('a message called off while it waits is cancelled and never goes', async () => {
  fixture.windTo(fixture.tomorrow('03:00:00'));
  const { scope, id } = await fixture.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  const { origin_id: originId } = await app.log(id);
  await fixture.callOff(scope, [originId]);
  fixture.wind(6 * HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
  expect(await fixture.shown(scope, id)).toMatchObject({ waitsFor: null });
});

test('hours that never agree suppress the message', async () => {
  fixture.windTo(fixture.tomorrow('12:00:00'));
  const { scope, id } = await fixture.asked({
    settings: { ...NINE_TO_FIVE, ignoreDnd: false },
    workspace: { dnd: { start: '08:00', end: '18:00' } },
  });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'suppressed', suppressed_reason: 'no_open_hours' });
});

test('a day of tries begins when the window opens', async () => {
  fixture.windTo(fixture.tomorrow('03:00:00'));
  const { scope, id } = await fixture.asked({ settings: NINE_TO_FIVE });
  await app.drain(scope);
  fixture.sink.verdict = () => ({ code: 451, text: 'later' });
  fixture.wind(6 * HOUR);
  for (let attempt = 0; attempt < 7; attempt++) {
    await app.drain(scope);
    fixture.wind(HOUR);
  }
  expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 7 });
});
