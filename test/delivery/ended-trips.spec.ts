/** Messages of an ended trip are not retried, unless a person requests it. */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { CLAIM_NONE, SendBatches } from '../../src/modules/delivery/application/send-batches.js';
import { NOTHING_RECORDED, type ClaimedSend } from '../../src/modules/delivery/domain/claimed-send.js';
import { HOUR } from '../support/clock.js';
import { GatesFixture } from './gates-fixture.js';
import type { SendingApp } from './sending-app.js';

let fixture: GatesFixture;
let app: SendingApp;

beforeAll(async () => {
  fixture = await GatesFixture.lay();
  ({ app } = fixture);
});
afterAll(() => fixture.clear());
beforeEach(() => fixture.refresh());

test('a message that is called off while it is being sent is not tried again', async () => {
  const { scope, id } = await fixture.asked({});
  const { origin_id: originId } = await app.log(id);
  const send = { id, attempts: 1, sender: 77 } as ClaimedSend;
  await app.admin.query(`UPDATE email_logs SET status = 'sending', sender = 77, attempts = 1 WHERE id = $1`, [
    id,
  ]);
  await fixture.callOff(scope, [originId]);
  expect(await app.log(id)).toMatchObject({ status: 'sending' });
  const later = { at: app.clock.now(), code: 'temporary', detail: '451 later', reissue: false } as const;
  const finished = { send, outcome: { kind: 'again', ...later }, record: NOTHING_RECORDED } as const;
  await app.module.get(SendBatches).claimAndSettle(scope, [finished], CLAIM_NONE);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled' });
});

/** Simulates a refusal that was stored while the trip was being ended: neither transaction sees the other. */
async function refusedAsItsTripEnded(): Promise<{ scope: TenantScope; id: string }> {
  const { scope, id } = await fixture.asked({});
  fixture.sink.verdict = () => ({ code: 451, text: 'later' });
  await app.drain(scope);
  fixture.sink.verdict = () => undefined;
  const { origin_id: tripId, status, attempts } = await app.log(id);
  expect([status, attempts]).toEqual(['queued', 1]);
  app.endedTrips.add(tripId);
  return { scope, id };
}

test('a message is not tried again once its trip has ended, whatever its end has seen of it', async () => {
  const { scope, id } = await refusedAsItsTripEnded();
  app.outcomes.settledLogs.length = 0;
  fixture.wind(HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'cancelled', attempts: 1 });
  expect(app.outcomes.settledLogs).toMatchObject([{ id, before: 'queued', status: 'cancelled' }]);
  expect(fixture.sink.mails).toEqual([]);
});

test('what a person asks for once more is sent, also when its trip has ended', async () => {
  const { scope, id } = await refusedAsItsTripEnded();
  await app.admin.query("UPDATE email_logs SET status = 'unknown' WHERE id = $1", [id]);
  await app.module.get(EmailLogService, { strict: false }).resendUnknown(scope, id);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
  expect(fixture.sink.mails).toHaveLength(1);
});
