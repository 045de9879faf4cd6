/** How many messages a process claims, in which order, and what remains of them after a crash. */
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { HOUR } from '../support/clock.js';
import type { TestDatabase } from '../support/database.js';
import type { MailSink } from '../support/mail-sink.js';
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

describe('lanes', () => {
  test('never more messages are in hand than there are lanes', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    for (let n = 0; n < 3 * SLOTS_PER_TRANSPORT; n++)
      await app.enqueue(scope, { contactId: await app.contact(scope) });
    const counts: number[] = [];
    let counting = Promise.resolve();
    const count = async (): Promise<void> => {
      const { rows } = await app.admin.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM email_logs WHERE status = 'sending' AND workspace_id = $1`,
        [scope.workspaceId],
      );
      counts.push(rows[0]?.n ?? 0);
    };
    sink.verdict = () => {
      counting = counting.then(count);
      return undefined;
    };
    expect(await app.drain(scope)).toBe(false);
    expect(sink.mails).toHaveLength(3 * SLOTS_PER_TRANSPORT);
    await counting;
    expect(counts).toHaveLength(3 * SLOTS_PER_TRANSPORT);
    expect(Math.max(...counts)).toBeLessThanOrEqual(SLOTS_PER_TRANSPORT);
  });

  test('transactional messages go first', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    const late: string[] = [];
    for (let n = 0; n < 2 * SLOTS_PER_TRANSPORT; n++)
      await app.enqueue(scope, { contactId: await app.contact(scope), contentType: 'promotional' });
    for (let n = 0; n < SLOTS_PER_TRANSPORT; n++)
      late.push(await app.enqueue(scope, { contactId: await app.contact(scope) }));
    await app.drain(scope);
    const first = sink.mails.slice(0, SLOTS_PER_TRANSPORT).map(({ messageId }) => messageId);
    expect(new Set(first)).toEqual(new Set(late.map((id) => `<${id}@mail.localhost>`)));
  });

  test('a turn that is over ends at a message, with every fate stored', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    for (let n = 0; n < 3 * SLOTS_PER_TRANSPORT; n++)
      await app.enqueue(scope, { contactId: await app.contact(scope) });
    const { SenderService } = await import('../../src/modules/delivery/application/sender.service.js');
    let isOver = false;
    sink.verdict = () => {
      isOver = true;
      return undefined;
    };
    expect(await app.module.get(SenderService).drain(scope, () => !isOver)).toBe(true);
    const statuses = (await app.logs(scope)).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual(['queued', 'sent']);
    expect(statuses.filter((status) => status === 'sent')).toHaveLength(sink.mails.length);
    await app.drain(scope);
    expect(sink.mails).toHaveLength(3 * SLOTS_PER_TRANSPORT);
  });
});

describe('after a crash', () => {
  async function leftBehind(contentType: 'transactional' | 'promotional', sender: number) {
    const message = await app.oneMessage(contentType);
    await app.admin.query(
      `UPDATE email_logs SET status = 'sending', sender = $2, attempts = 1 WHERE id = $1`,
      [message.id, sender],
    );
    return message;
  }

  test.each([
    ['transactional', 'sent', 1],
    ['promotional', 'unknown', 0],
  ] as const)('a %s message of a process that is gone is %s', async (contentType, status, mails) => {
    const { scope, id } = await leftBehind(contentType, 1);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sending' });
    app.clock.wind(2_000);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status });
    expect(sink.mails).toHaveLength(mails);
  });

  test('a message of a process that lives is left alone', async () => {
    const other = await startSending(database, sink.url);
    try {
      const { scope, id } = await leftBehind('transactional', await other.module.get(ProcessLease).number());
      app.clock.wind(HOUR);
      await app.drain(scope);
      expect(await app.log(id)).toMatchObject({ status: 'sending' });
    } finally {
      await other.close();
    }
  });

  test('a message that this process took without hearing so was never sent and simply goes out', async () => {
    const { scope, id } = await leftBehind('promotional', await app.module.get(ProcessLease).number());
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', reissues: 0, attempts: 2 });
  });
});
