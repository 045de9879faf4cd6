/**
 * A mail server with every kind of failure: it refuses temporarily and permanently, cuts connections at every stage of
 * DATA, answers slowly, and goes down. Transactional mail arrives nevertheless, promotional mail never twice, and the
 * ledger has the outcome of every message.
 */
import fc from 'fast-check';
import { SenderService } from '../../src/modules/delivery/application/sender.service.js';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { startSending, type LogRow, type SendingApp } from '../delivery/sending-app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { figure } from '../support/figure.js';
import { MailSink } from '../support/mail-sink.js';
import { repetitions } from '../support/test-scope.js';

/** Of each kind. */
const MESSAGES = repetitions({ short: 120, full: 400 });
/** One in this many contacts has an address that is refused permanently. */
const UNKNOWN_PEOPLE = 20;
const REFUSED_FOR_NOW = 0.3;
/** With fewer messages the share of cuts is higher, so that every stage is cut at least once. */
const CUT = repetitions({ short: 0.25, full: 0.1 });
/** Milliseconds of product time for which the server is down. */
const AWAY = 20_000;
const MINUTE = 60_000;
/** The longest delay of an answer, in milliseconds of real time. */
const SLOWEST_ANSWER = 60;

type Kind = 'transactional' | 'promotional';
const KINDS: readonly Kind[] = ['transactional', 'promotional'];

let database: TestDatabase;
let sink: MailSink;
let app: SendingApp;

beforeEach(async () => {
  database = await createTestDatabase();
  sink = await MailSink.start();
  app = await startSending(database, sink.url);
});

afterEach(async () => {
  await app.close();
  await sink.stop();
  await database.drop();
});

/** Creates a workspace with this many messages of a kind, each to a different contact. */
async function tenant(kind: Kind, messages: number): Promise<TenantScope> {
  const scope = await app.workspace();
  const filler = '<p>A paragraph that makes the message go over the wire in more than one piece.</p>'.repeat(
    300,
  );
  await app.template(scope, { body_html: `<html><body>${filler}</body></html>` });
  for (let n = 0; n < messages; n++) {
    const email = `${n % UNKNOWN_PEOPLE === 0 ? 'nobody' : 'somebody'}-${n}@${kind}.example.com`;
    await app.enqueue(scope, { contactId: await app.contact(scope, { email }), contentType: kind });
  }
  return scope;
}

const logs = async (): Promise<(LogRow & { content_type: Kind })[]> =>
  (await app.admin.query<LogRow & { content_type: Kind }>('SELECT * FROM email_logs')).rows;

/**
 * Sends, and advances the clock to the next message, until none waits.
 * @param each runs before every round; returns the minimum by which the clock advances, in milliseconds.
 */
async function sendAll(
  scopes: readonly TenantScope[],
  each: () => Promise<number> = () => Promise.resolve(MINUTE),
): Promise<void> {
  const sender = app.module.get(SenderService);
  for (let turn = 0; turn < 300; turn++) {
    const leap = await each();
    await Promise.all(scopes.map((scope) => sender.drain(scope, () => true)));
    const [{ next }] = (
      await app.admin.query<{ next: Date | null }>(
        `SELECT min(next_attempt_at) AS next FROM email_logs WHERE status IN ('queued', 'sending')`,
      )
    ).rows as [{ next: Date | null }];
    if (next === null) return;
    app.clock.wind(Math.max(leap, next.getTime() - app.clock.now().getTime()));
  }
  const left = (await logs()).filter(({ status }) => status === 'queued' || status === 'sending');
  throw new Error(`Messages are left that nothing becomes of: ${JSON.stringify(left.slice(0, 3))}`);
}

test(`${2 * MESSAGES} messages through a server that refuses, cuts, dawdles and goes away`, async () => {
  const random = fc.sample(fc.noBias(fc.nat({ max: 999_999 })), 20_000).map((drawn) => drawn / 1_000_000);
  let drawn = 0;
  const chance = (): number => random[drawn++ % random.length] ?? 0;
  const scopes = [await tenant('transactional', MESSAGES), await tenant('promotional', MESSAGES)];

  const { port } = sink;
  let wentAt: number | undefined;
  let isBack = false;
  sink.delay = () => {
    // In the middle of the work, with messages in flight.
    if (wentAt === undefined && sink.mails.length > MESSAGES / 2) {
      wentAt = app.clock.now().getTime();
      setTimeout(() => void sink.vanish());
    }
    return Math.floor(chance() * SLOWEST_ANSWER);
  };
  sink.recipientVerdict = (address) => {
    if (address.startsWith('nobody-')) return { code: 550, text: 'No such user here' };
    // Half of the refusals come before the content, half after it.
    return chance() < REFUSED_FOR_NOW / 2 ? { code: 450, text: 'Mailbox busy' } : undefined;
  };
  sink.interruption = () => {
    const fate = chance() / CUT;
    return fate < 0.25 ? 'before' : fate < 0.5 ? 'midway' : undefined;
  };
  sink.verdict = () => {
    const fate = chance();
    if (fate < CUT / 4) return 'drop';
    if (fate < CUT / 2) return 'accept-and-drop';
    return fate > 1 - REFUSED_FOR_NOW / 2 ? { code: 451, text: 'Try again later' } : undefined;
  };
  await sendAll(scopes, async () => {
    if (isBack) return MINUTE;
    if (wentAt === undefined || app.clock.now().getTime() - wentAt < AWAY) return 1_000;
    isBack = true;
    await sink.listen(port);
    return MINUTE;
  });
  expect(isBack).toBe(true);

  const all = await logs();
  const copies = (log: LogRow): number =>
    sink.mails.filter(({ messageId }) => messageId === log.message_id).length;
  const of = (kind: Kind): typeof all => all.filter((log) => log.content_type === kind);
  const count = (kind: Kind, status: string): number =>
    of(kind).filter((log) => log.status === status).length;
  const cuts = new Map(sink.cuts.map((cut) => [cut.to, cut]));
  const keptCuts = (address: string): number =>
    sink.cuts.filter(({ to, at }) => to === address && at === 'kept').length;
  const addresses = new Map(
    (await app.admin.query<{ id: string; email: string }>('SELECT id, email FROM contacts')).rows.map(
      ({ id, email }) => [id, email],
    ),
  );
  const addressOf = ({ contact_id: id }: LogRow): string => addresses.get(id) ?? '';
  for (const kind of KINDS)
    figure(
      `${kind}: ${count(kind, 'sent')} sent, ${count(kind, 'failed')} failed, ${count(kind, 'unknown')} unknown, ` +
        `${of(kind).filter((log) => copies(log) > 1).length} came twice or more; ` +
        `${of(kind).reduce((sum, { attempts }) => sum + attempts, 0)} attempts`,
    );
  const stages = ['before', 'midway', 'dropped', 'kept'] as const;
  const cutAt = (stage: (typeof stages)[number]): number => sink.cuts.filter(({ at }) => at === stage).length;
  figure(`connections cut in DATA: ${stages.map((stage) => `${stage} ${cutAt(stage)}`).join(', ')}`);

  // The test proves something only if every stage was cut.
  expect(stages.filter((stage) => cutAt(stage) === 0)).toEqual([]);
  for (const kind of KINDS) {
    expect(of(kind)).toHaveLength(MESSAGES);
    // Exactly the permanently refused messages have failed, and none of them was received.
    const failed = of(kind).filter(({ status }) => status === 'failed');
    expect(failed.map(addressOf).sort()).toEqual(
      of(kind)
        .map(addressOf)
        .filter((address) => address.startsWith('nobody-'))
        .sort(),
    );
    expect(failed.filter(({ error_code: code }) => code !== 'rejected')).toEqual([]);
    // Every message that the ledger records as sent has arrived.
    expect(of(kind).filter((log) => log.status === 'sent' && copies(log) === 0)).toEqual([]);
    // A message has more than one copy only if the server had received its content when it cut the connection.
    expect(of(kind).filter((log) => copies(log) > 1 + keptCuts(addressOf(log)))).toEqual([]);
  }

  // Transactional: everything that could be delivered was.
  expect(count('transactional', 'sent')).toBe(MESSAGES - MESSAGES / UNKNOWN_PEOPLE);
  expect(of('transactional').filter((log) => copies(log) > 1).length).toBeGreaterThan(0);

  // Promotional: never twice; unknown are exactly the messages whose connection was cut during the content.
  expect(of('promotional').filter((log) => copies(log) > 1)).toEqual([]);
  const unknown = of('promotional').filter(({ status }) => status === 'unknown');
  expect(count('promotional', 'sent') + count('promotional', 'failed') + unknown.length).toBe(MESSAGES);
  expect(unknown.filter((log) => !cuts.has(addressOf(log)))).toEqual([]);
  const known = new Set(unknown.map(addressOf));
  const certain = sink.cuts.filter(
    ({ to, at, isVanishing }) => !isVanishing && at !== 'before' && to.endsWith('@promotional.example.com'),
  );
  expect(certain.filter(({ to }) => !known.has(to))).toEqual([]);
});

test('a server that cuts every connection costs few promotional messages their fate', async () => {
  const scope = await tenant('promotional', 3 * UNKNOWN_PEOPLE);
  sink.verdict = () => 'drop';
  const sender = app.module.get(SenderService);
  await sender.drain(scope, () => true);
  const lost = async (): Promise<number> =>
    (await logs()).filter(({ status }) => status === 'unknown').length;
  // No more than were in flight when the failures began.
  const first = await lost();
  expect(first).toBeLessThanOrEqual(SLOTS_PER_TRANSPORT + 8);
  for (let second = 0; second < 10; second++) {
    app.clock.wind(1_000);
    await sender.drain(scope, () => true);
  }
  // Then one at a time, with pauses that double.
  expect((await lost()) - first).toBeLessThanOrEqual(4);
  sink.verdict = () => undefined;
  await sendAll([scope]);
  expect((await logs()).filter(({ status }) => status === 'sent')).toHaveLength(sink.mails.length);
});
