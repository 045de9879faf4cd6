/** The outcome of messages for every answer of the SMTP server, including no answer. */
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { SendDeadLetters } from '../../src/modules/delivery/application/send-dead-letters.js';
import { CLAIM_NONE, SendBatches } from '../../src/modules/delivery/application/send-batches.js';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { NOTHING_RECORDED, type ClaimedSend } from '../../src/modules/delivery/domain/claimed-send.js';
import { Database } from '../../src/platform/database/database.js';
import { DAY, HOUR } from '../support/clock.js';
import type { TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

let database: TestDatabase;
let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ database, sink, app } = fixture));

beforeEach(() => {
  sink.verdict = () => undefined;
  sink.mails.length = 0;
  app.outcomes.settledLogs.length = 0;
  // Resets what earlier tests did to the server's reputation.
  app.clock.wind(HOUR);
});

/** The announced changes, as `before > status`. */
const steps = (): string[] => app.outcomes.settledLogs.map(({ before, status }) => `${before} > ${status}`);

describe('what the server answers', () => {
  test('a temporary refusal is repeated later under the same Message-ID', async () => {
    const { scope, id } = await app.oneMessage();
    const offered: string[] = [];
    sink.verdict = ({ messageId }) => {
      offered.push(messageId);
      return offered.length < 3 ? { code: 451, text: 'Try again later' } : undefined;
    };
    await app.drain(scope);
    const log = await app.log(id);
    expect(log).toMatchObject({
      status: 'queued',
      attempts: 1,
      error_code: 'temporary',
      error_detail: '451 Try again later',
    });
    expect(log.next_attempt_at.getTime()).toBeGreaterThan(app.clock.now().getTime());
    expect(app.outcomes.settledLogs).toHaveLength(0);
    await app.drain(scope);
    expect(offered).toHaveLength(1);

    app.clock.wind(HOUR);
    await app.drain(scope);
    app.clock.wind(HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 3, error_detail: null });
    expect(new Set(offered).size).toBe(1);
    expect(sink.mails).toHaveLength(1);
  });

  test('refusals for more than a day end in failure', async () => {
    const { scope, id } = await app.oneMessage();
    sink.verdict = () => ({ code: 450, text: 'Mailbox busy' });
    for (let round = 0; round < 5; round++) {
      await app.drain(scope);
      app.clock.wind(DAY);
    }
    expect(await app.log(id)).toMatchObject({
      status: 'failed',
      error_code: 'gave_up',
      error_detail: '450 Mailbox busy',
    });
  });

  test('a permanent refusal is final, and its words are kept', async () => {
    const { scope, id } = await app.oneMessage();
    sink.verdict = () => ({ code: 550, text: 'No such user here' });
    await app.drain(scope);
    app.clock.wind(DAY);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_code: 'rejected',
      error_detail: '550 No such user here',
    });
    expect(app.outcomes.settledLogs).toHaveLength(1);
  });

  test('a transactional message whose answer is lost goes out once more, under the same Message-ID', async () => {
    const { scope, id } = await app.oneMessage();
    sink.verdict = () => (sink.mails.length === 0 ? 'accept-and-drop' : undefined);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', reissues: 1, error_code: 'unknown_fate' });
    app.clock.wind(HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', reissues: 1, attempts: 2 });
    expect(new Set(sink.mails.map(({ messageId }) => messageId))).toEqual(
      new Set([`<${id}@mail.localhost>`]),
    );
    expect(sink.mails).toHaveLength(2);
  });

  test('again and again until an answer comes, each pause longer than the last', async () => {
    const { scope, id } = await app.oneMessage();
    sink.verdict = () => 'drop';
    const pauses: number[] = [];
    for (let round = 0; round < 5; round++) {
      await app.drain(scope);
      const { next_attempt_at: next, status } = await app.log(id);
      expect(status).toBe('queued');
      pauses.push(next.getTime() - app.clock.now().getTime());
      await app.drain(scope);
      app.clock.wind(pauses.at(-1)!);
    }
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    sink.verdict = () => undefined;
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 6, reissues: 5 });
    expect(sink.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@mail.localhost>`]);
  });

  test('and no more than five times', async () => {
    const { scope, id } = await app.oneMessage();
    sink.verdict = () => 'drop';
    for (let round = 0; round < 8; round++) {
      await app.drain(scope);
      app.clock.wind(HOUR);
    }
    expect(await app.log(id)).toMatchObject({ status: 'unknown', attempts: 6, reissues: 5 });
    expect(steps()).toEqual(['sending > unknown']);
  });

  test('a promotional message whose answer is lost is not sent again', async () => {
    const { scope, id } = await app.oneMessage('promotional');
    sink.verdict = () => 'accept-and-drop';
    await app.drain(scope);
    app.clock.wind(DAY);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'unknown', attempts: 1 });
    expect(sink.mails).toHaveLength(1);
    expect(app.outcomes.settledLogs).toHaveLength(1);
  });

  test('a message of unknown fate is sent again by a person, and only such a one', async () => {
    const { scope, id } = await app.oneMessage('promotional');
    sink.verdict = () => 'drop';
    await app.drain(scope);
    sink.verdict = () => undefined;
    const service = app.module.get(EmailLogService, { strict: false });
    expect(await service.resendUnknown(scope, id)).toMatchObject({ id, status: 'queued' });
    app.clock.wind(HOUR);
    await app.drain(scope);
    expect(steps()).toEqual(['sending > unknown', 'unknown > queued', 'sending > sent']);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(sink.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@mail.localhost>`]);
    await expect(service.resendUnknown(scope, id)).rejects.toMatchObject({ code: 'conflict' });
    const otherScope = await app.workspace();
    await expect(service.resendUnknown(otherScope, id)).rejects.toMatchObject({
      code: 'email_log_not_found',
    });
  });

  test('a late word of a process that was believed dead still counts', async () => {
    const { scope, id } = await app.oneMessage('promotional');
    await app.admin.query(`UPDATE email_logs SET status = 'unknown', attempts = 1 WHERE id = $1`, [id]);
    const send = { id, attempts: 1, sender: 77 } as ClaimedSend;
    const word = (attempts: number) =>
      app.module
        .get(SendBatches)
        .claimAndSettle(
          scope,
          [{ send: { ...send, attempts }, outcome: { kind: 'sent' }, record: NOTHING_RECORDED }],
          CLAIM_NONE,
        );
    await word(2);
    expect(await app.log(id)).toMatchObject({ status: 'unknown' });
    await word(1);
    expect(await app.log(id)).toMatchObject({ status: 'sent' });
    await word(1);
    expect(steps()).toEqual(['unknown > sent']);
  });

  test('who is given up, put back and sent is announced at each step', async () => {
    const { scope, id } = await app.oneMessage();
    const queue = app.module.get(SendDeadLetters, { strict: false });
    const database = app.module.get(Database);
    const now = app.clock.now();
    expect(await database.inScope(scope, (tx) => queue.dequeue(tx, scope, id, now))).toBe(true);
    expect(await database.inScope(scope, (tx) => queue.dequeue(tx, scope, id, now))).toBe(false);
    await database.inScope(scope, (tx) => queue.requeue(tx, scope, id, now));
    await database.inScope(scope, (tx) => queue.requeue(tx, scope, id, now));
    await app.drain(scope);
    expect(steps()).toEqual(['queued > failed', 'failed > queued', 'sending > sent']);
  });

  test('a server that is away burns no message and is not hammered', async () => {
    const own = await MailSink.start();
    const port = own.port;
    const away = await startSending(database, own.url);
    try {
      await own.stop();
      const scope = await away.workspace();
      await away.template(scope);
      for (let n = 0; n < 40; n++) await away.enqueue(scope, { contactId: await away.contact(scope) });
      expect(await away.drain(scope)).toBe(false);
      const touched = (await away.logs(scope)).filter(({ attempts }) => attempts > 0);
      expect(touched.length).toBeLessThanOrEqual(SLOTS_PER_TRANSPORT);
      expect(new Set((await away.logs(scope)).map(({ status }) => status))).toEqual(new Set(['queued']));
      // One message at a time probes whether the server is back.
      away.clock.wind(HOUR);
      await away.drain(scope);
      const attempts = (await away.logs(scope)).reduce((sum, log) => sum + log.attempts, 0);
      expect(attempts).toBe(touched.length + 1);

      await own.listen(port);
      away.clock.wind(HOUR);
      await away.drain(scope);
      expect(own.mails).toHaveLength(40);
      expect(new Set((await away.logs(scope)).map(({ status }) => status))).toEqual(new Set(['sent']));
    } finally {
      await away.close();
      await own.stop();
    }
  });
});
