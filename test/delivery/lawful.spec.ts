/**
 * Property test of all inputs of a send decision (section 4.10, going live, caps, gates, preferences and
 * opt-outs), with changes while a message waits and with repeated resends. Mail that reaches an SMTP server is
 * lawful, a waiting message has not been sent and has a next attempt time, and the log of an unsent message states
 * the reason.
 */
import fc from 'fast-check';
import { DomainError } from '../../src/kernel/domain-error.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import '../support/property-seed.js';
import { CASES, type Later } from './lawful-cases.js';
import { failuresOf, holdsOf, isPromotional, reasonsAgainst } from './lawful-facts.js';
import { LawfulCase, ResendsModule } from './lawful-fixture.js';
import { startSending, type LogRow, type SendingApp } from './sending-app.js';

let database: TestDatabase;
let outside: MailSink;
let sandbox: MailSink;
let app: SendingApp;

beforeAll(async () => {
  database = await createTestDatabase();
  [outside, sandbox] = [await MailSink.start(), await MailSink.start()];
  app = await startSending(database, outside.url, sandbox.url, {}, [ResendsModule]);
});
afterAll(async () => {
  await app.close();
  await outside.stop();
  await sandbox.stop();
  await database.drop();
});

type Row = LogRow & { readonly waits_for: string | null };
const row = async (id: string): Promise<Row> => (await app.log(id)) as Row;

/** How often each outcome occurred, by name. */
const seen = new Map<string, number>();
const see = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

test('what arrives is lawful, what waits is told until when, and what does not arrive has its reason', async () => {
  await fc.assert(
    fc.asyncProperty(CASES, async (given) => {
      const one = await LawfulCase.make(app, given);
      let log = await checkOutcome(one, await one.ask());
      for (const later of given.later)
        log = await (log.status === 'queued' ? again(one, log, later) : onceMore(one, log, later));
    }),
    { numRuns: 200 },
  );
  // The run covered every expected outcome.
  expect(WANTED.filter((what) => !seen.has(what))).toEqual([]);
});

/** Outcomes that must occur. */
const WANTED = [
  ...['promotional sent', 'transactional sent', 'held, then sent'],
  ...['once more: sent', 'lost, once more: sent'],
  ...['held by send_window', 'held by do_not_disturb', 'held by throttle', 'held by sending_pause'],
  'held by suspension',
  ...['unsubscribed', 'unsubscribed_topic', 'paused', 'frequency_cap', 'sending_paused'],
  ...['held, then suppressed', 'once more: suppressed', 'once more: queued', 'not asked for once more'],
];

/** For a queued message: applies a change and lets time pass. */
async function again(one: LawfulCase, log: Row, later: Later): Promise<Row> {
  await one.change(later);
  one.wait(later, log.waits_for === 'throttle' ? one.lineOpens() : log.next_attempt_at);
  const next = await checkOutcome(one, log.id);
  see(`held, then ${next.status}`);
  return next;
}

/** For a finished message: requests it again. Returns the resulting message. */
async function onceMore(one: LawfulCase, log: Row, later: Later): Promise<Row> {
  if (!later.isAfterAsking) await one.change(later);
  one.wait(later, undefined);
  const isLost = later.isFateLost && log.status === 'sent';
  if (isLost) await one.loseFate(log.id);
  const before = (await app.logs(one.scope)).length;
  let asked;
  try {
    asked = await one.askAgain(log.id);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    see('not asked for once more');
    expect(refusalsOf(one, log.id)).toContain(error.code);
    expect(await app.logs(one.scope)).toHaveLength(before);
    clearMails();
    await one.look();
    expect([...outside.mails, ...sandbox.mails]).toEqual([]);
    return row(log.id);
  }
  const { emailLogId: id, status, suppressedReason } = asked;
  // A message whose outcome is lost is sent again itself where that is allowed; any other is sent as a new
  // message.
  const mayGoItself = !reasonsAgainst(one.facts, log.id).includes('unsubscribed');
  expect(id === log.id).toBe(isLost && status === 'queued' && mayGoItself);
  if (status === 'suppressed') expectReason(one, id, suppressedReason);
  else expect(reasonsAgainst(one.facts, id).filter((reason) => !GATES.has(reason))).toEqual([]);
  if (later.isAfterAsking) await one.change(later);
  const next = await checkOutcome(one, id, status === 'suppressed');
  if (log.status === 'sent') see(`${isLost ? 'lost, ' : ''}once more: ${next.status}`);
  return next;
}

/** Reasons that are checked only when the message is about to be sent. */
const GATES = new Set(['frequency_cap', 'no_open_hours', 'sending_paused', 'plan_limit_reached']);

/** Error codes with which a request for a message may fail. */
function refusalsOf(one: LawfulCase, id: string): string[] {
  const codes = failuresOf(one.facts).map((code) =>
    code === 'invalid_from_address' ? 'invalid_field' : 'template_errors',
  );
  return reasonsAgainst(one.facts, id).includes('plan_limit_reached')
    ? [...codes, 'plan_limit_reached']
    : codes;
}

function clearMails(): void {
  outside.mails.length = 0;
  sandbox.mails.length = 0;
}

/** Runs the sender and checks the outcome of the message. */
async function checkOutcome(one: LawfulCase, id: string, wasSuppressed = false): Promise<Row> {
  clearMails();
  await one.look();
  const { facts } = one;
  const { given } = facts;
  const log = await row(id);
  const [there, elsewhere] = given.environment === 'live' ? [outside, sandbox] : [sandbox, outside];
  expect(elsewhere.mails).toEqual([]);
  expect(there.mails).toHaveLength(log.status === 'sent' ? 1 : 0);
  switch (log.status) {
    case 'sent':
      expect([...reasonsAgainst(facts, id), ...failuresOf(facts), ...holdsOf(facts).keys()]).toEqual([]);
      expect(log.to_email).toBe(facts.email);
      one.noteSent(id);
      see(`${given.contentType} sent`);
      await expectLawful(one, there.mails[0]!);
      break;
    case 'suppressed':
      if (!wasSuppressed) expectReason(one, id, log.suppressed_reason);
      break;
    case 'failed':
      expect(failuresOf(facts)).toContain(log.error_code);
      break;
    case 'queued': {
      if (given.isSuspended) {
        // After the suspension the message continues from this state.
        expect(log.waits_for).toBeNull();
        see('held by suspension');
        break;
      }
      const holds = holdsOf(facts);
      see(`held by ${log.waits_for}`);
      expect([...holds.keys()]).toContain(log.waits_for);
      expect(log.next_attempt_at.getTime()).toBeGreaterThan(facts.now.getTime());
      const until = holds.get(log.waits_for ?? '');
      if (until) expect(log.next_attempt_at).toEqual(until);
      break;
    }
    default:
      throw new Error(`The message is ${log.status}.`);
  }
  return log;
}

function expectReason(one: LawfulCase, id: string, reason: string | null): void {
  see(reason ?? '');
  expect(reasonsAgainst(one.facts, id)).toContain(reason?.replace(/:.*$/s, ''));
}

/** For promotional mail: it names its sender and contains each unsubscribe mechanism once. */
async function expectLawful(one: LawfulCase, mail: ReceivedMail): Promise<void> {
  const { raw, to } = mail;
  expect(to).toEqual([one.facts.email]);
  if (!isPromotional(one.facts)) return;
  const [, url = ''] = /^List-Unsubscribe: ?(?:\r\n )?<([^>]+)>/m.exec(raw) ?? [];
  expect(url).toMatch(/^http/);
  expect(raw.match(/^List-Unsubscribe:/gm)).toHaveLength(1);
  expect(raw.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/gm)).toHaveLength(1);
  const { html = '', text = '' } = await MailSink.parse(mail);
  for (const part of one.facts.given.text === '' ? [html] : [html, text]) {
    expect(part.split('1 Main St')).toHaveLength(2);
    expect(part.replaceAll('&amp;', '&').split(url)).toHaveLength(2);
  }
}
