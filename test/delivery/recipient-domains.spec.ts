/** Mail to a domain that temporarily refuses waits in the queue; mail to other domains does not. */
import { HOUR } from '../support/clock.js';
import type { MailSink, ReceivedMail } from '../support/mail-sink.js';
import type { SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

const MINUTE = 60_000;

let sink: MailSink;
let app: SendingApp;
let offered: string[] = [];

useFixture((fixture) => ({ sink, app } = fixture));

beforeEach(() => {
  sink.mails.length = 0;
  offered = [];
  // Resets what earlier tests did to the domain's reputation.
  app.clock.wind(HOUR);
});

const isOf = (domain: string, mail: ReceivedMail): boolean => mail.to.some((to) => to.endsWith(`@${domain}`));

/** Messages of one workspace, with the given number for each domain. */
async function messages(counts: Readonly<Record<string, number>>) {
  const scope = await app.workspace();
  await app.template(scope);
  for (const [domain, count] of Object.entries(counts))
    for (let n = 0; n < count; n++)
      await app.enqueue(scope, { contactId: await app.contact(scope, { email: `p${n}@${domain}` }) });
  return scope;
}

test('421 to one domain holds up its mail alone, one message finds out, and nothing is lost', async () => {
  let isBusy = true;
  sink.verdict = (mail) => {
    if (!isOf('busy.example', mail)) return undefined;
    offered.push(mail.messageId);
    return isBusy ? { code: 421, text: '4.7.0 Too much mail' } : undefined;
  };
  const scope = await messages({ 'busy.example': 80, 'calm.example': 80 });
  expect(await app.drain(scope)).toBe(false);
  expect(sink.mails).toHaveLength(80);
  // Only the messages that were already in flight.
  const atFirst = offered.length;
  expect(atFirst).toBeLessThanOrEqual(32);
  const waiting = (await app.logs(scope)).filter(({ status }) => status === 'queued');
  expect(waiting).toHaveLength(80);
  expect(new Set(waiting.map((log) => log.error_code))).toEqual(new Set(['temporary']));
  for (const { next_attempt_at: at } of waiting)
    expect(at.getTime()).toBeGreaterThan(app.clock.now().getTime());

  app.clock.wind(HOUR);
  await app.drain(scope);
  expect(offered.length - atFirst).toBe(1);

  isBusy = false;
  for (let round = 0; round < 12 && sink.mails.length < 160; round++) {
    app.clock.wind(HOUR);
    await app.drain(scope);
  }
  expect(sink.mails).toHaveLength(160);
  expect(new Set(sink.mails.map(({ messageId }) => messageId)).size).toBe(160);
});

test('other workspaces’ mail to it waits too, and hears nothing of whose was refused', async () => {
  sink.verdict = (mail) =>
    isOf('tight.example', mail) ? { code: 421, text: '4.7.0 <p0@tight.example> no' } : undefined;
  await app.drain(await messages({ 'tight.example': 1 }));
  const other = await messages({ 'tight.example': 1 });
  await app.drain(other);
  expect(await app.logs(other)).toMatchObject([
    {
      status: 'queued',
      error_code: 'temporary',
      error_detail: 'Mail to tight.example is waiting: its server is deferring mail.',
      to_email: 'p0@tight.example',
    },
  ]);
});

test('a refusal of one mailbox holds up nobody else', async () => {
  sink.verdict = (mail) => (mail.to[0] === 'p0@full.example' ? { code: 452, text: '4.2.2 Full' } : undefined);
  const scope = await messages({ 'full.example': 40 });
  await app.drain(scope);
  expect(sink.mails).toHaveLength(39);
});

test('a greylist that turns every recipient away at first has them all within two hours', async () => {
  const turnedAway = new Map<string, number>();
  sink.verdict = (mail) => {
    const now = app.clock.now().getTime();
    const since = turnedAway.get(mail.to[0] ?? '');
    if (since !== undefined && now - since >= 5 * MINUTE) return undefined;
    if (since === undefined) turnedAway.set(mail.to[0] ?? '', now);
    return { code: 450, text: '4.7.1 Greylisted' };
  };
  const scope = await messages({ 'grey.example': 300 });
  for (let minute = 0; minute < 120 && sink.mails.length < 300; minute++) {
    await app.drain(scope);
    app.clock.wind(MINUTE);
  }
  expect(sink.mails).toHaveLength(300);
});

test('whose own mailbox refuses for ever stops nobody else’s mail to its domain', async () => {
  let isAsked = false;
  sink.verdict = (mail) => {
    if (mail.to[0] === 'own@shared.example') return { code: 450, text: '4.7.1 Greylisted' };
    isAsked ||= isOf('shared.example', mail);
    return undefined;
  };
  const one = await app.workspace();
  await app.template(one);
  const own = await app.contact(one, { email: 'own@shared.example' });
  for (let n = 0; n < 6; n++) await app.enqueue(one, { contactId: own });
  await app.drain(one);
  await app.drain(await messages({ 'shared.example': 1 }));
  expect(isAsked).toBe(true);
});

test('what has only waited is given up no sooner than its server was asked', async () => {
  const waits = 'waits@late.example';
  sink.verdict = (mail) =>
    isOf('late.example', mail) && mail.to[0] !== waits
      ? { code: 421, text: '4.7.0 Too much mail' }
      : undefined;
  const other = await messages({ 'late.example': 1 });
  await app.drain(other);
  const scope = await messages({});
  const id = await app.enqueue(scope, { contactId: await app.contact(scope, { email: waits }) });
  for (let hour = 0; hour < 30; hour++) {
    await app.drain(scope);
    app.clock.wind(HOUR);
    // Another tenant's message always probes the domain first.
    await app.enqueue(other, { contactId: await app.contact(other, { email: `p${hour}@late.example` }) });
    await app.drain(other);
  }
  expect(await app.log(id)).toMatchObject({ status: 'sent' });
});
