/** A workspace's frequency cap, section 2.3, on a clock that the test controls. */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { HOUR } from '../support/clock.js';
import { GatesFixture, type Settings } from './gates-fixture.js';
import type { SendingApp } from './sending-app.js';

const SECOND = 1_000;

let fixture: GatesFixture;
let app: SendingApp;

beforeAll(async () => {
  fixture = await GatesFixture.lay();
  ({ app } = fixture);
});
afterAll(() => fixture.clear());
beforeEach(() => fixture.refresh());

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

  fixture.wind(24 * HOUR - SECOND);
  const early = await ask(CAPPED);
  await app.drain(scope);
  fixture.wind(SECOND);
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
    await Promise.all([app.drain(scope), fixture.other.drain(scope)]);
    fixture.wind(3 * SECOND);
  }
  expect(await fates(scope)).toEqual({ sent: 6, suppressed: 74 });
  for (const contactId of contacts) expect(fixture.sink.to(`${contactId}@example.com`)).toHaveLength(3);
});

test('a place whose message was refused is given to the next', async () => {
  const scope = await capped(1);
  const contactId = await app.contact(scope);
  for (let count = 0; count < 2; count++)
    await app.enqueue(scope, { contactId, options: { emailSendSettings: CAPPED } });
  let answers = 0;
  fixture.sink.verdict = () => (answers++ === 0 ? { code: 550, text: 'no' } : undefined);
  await app.drain(scope);
  expect(await fates(scope)).toEqual({ failed: 1, queued: 1 });
  fixture.wind(2 * SECOND);
  await app.drain(scope);
  expect(await fates(scope)).toEqual({ failed: 1, sent: 1 });
});
