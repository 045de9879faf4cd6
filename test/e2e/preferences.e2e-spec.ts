/**
 * The preference page, from the mail with its link to the mail that is no longer sent, sections 4.8 and 4.10: over HTTP
 * and SMTP, with flows of a workspace that has topics.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const DAY = 86_400_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Each name is a trigger, a template and a topic. */
const KINDS = { news: 'news', digest: 'digest', hello: null } as const;
type Kind = keyof typeof KINDS;

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
  await ask('mutation($input: CreateTopicInput!) { createTopic(input: $input) { key } }', {
    input: { key: 'news', name: 'News', description: 'Once a week', names: { de: 'Neuigkeiten' } },
  });
  app.clock.wind(1_000);
  await ask('mutation($input: CreateTopicInput!) { createTopic(input: $input) { key } }', {
    input: { key: 'digest', name: 'Digest', isSubscribedByDefault: false },
  });
  for (const [kind, topic] of Object.entries(KINDS)) {
    const template = { name: kind, slug: kind, subject: kind, body_html: `<p>${kind}</p>` };
    expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
    if (topic !== null)
      await ask(
        'mutation($slug: String!, $topic: String) { setTemplateTopic(slug: $slug, topic: $topic) { topic } }',
        {
          slug: kind,
          topic,
        },
      );
    const steps = [{ type: 'send_email', template_slug: kind }];
    const settings = { reentry_policy: 'always' };
    const flow = { name: kind, trigger_event: kind, content_type: 'promotional', steps, settings };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).body.status).toBe('active');
  }
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

async function ask(query: string, variables: object = {}): Promise<any> {
  const { body } = await workspace.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

let serial = 0;
async function person(fields: object = {}): Promise<{ readonly id: string; readonly externalId: string }> {
  const external_id = `p${++serial}`;
  const contact = { external_id, email: `${external_id}@example.com`, ...fields };
  const { body } = await workspace.call('POST', '/v1/contacts', contact);
  return { id: body.id, externalId: external_id };
}

interface Outcome {
  readonly id: string;
  readonly status: string;
  readonly suppressed_reason: string | null;
}

/** Makes a flow send its mail to the contact; returns the outcome. */
async function send(contactId: string, externalId: string, kind: Kind): Promise<Outcome> {
  const logs = async (): Promise<Outcome[]> =>
    (
      await admin.query<Outcome>(
        `SELECT id, status, suppressed_reason FROM email_logs WHERE contact_id = $1 AND template_slug = $2
           AND status NOT IN ('queued', 'sending') ORDER BY id`,
        [contactId, kind],
      )
    ).rows;
  const before = (await logs()).length;
  app.clock.wind(1_000);
  const event = { external_id: externalId, event_name: kind };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  await until(`${kind} for ${externalId} is settled`, async () => (await logs()).length > before);
  return (await logs()).at(-1)!;
}

const SENT = expect.objectContaining({ status: 'sent' });
const suppressed = (reason: string) =>
  expect.objectContaining({ status: 'suppressed', suppressed_reason: reason });

/** The link in the contact's newest mail, as mail programs post to it. */
function linkTo(externalId: string): string {
  const mail = app.sink.mails.findLast(({ to }) => to.includes(`${externalId}@example.com`));
  const address =
    /^List-Unsubscribe:\s*<([^>]*)>/im.exec(mail?.raw.replace(/\r\n[ \t]/g, '') ?? '')?.[1] ?? '';
  const { pathname, search } = new URL(address);
  return pathname + search;
}

async function personWithLink(fields: object = {}) {
  const { id, externalId } = await person(fields);
  const { id: messageId } = await send(id, externalId, 'hello');
  return { id, externalId, messageId, link: linkTo(externalId) };
}

const post = (link: string, form: string, headers = {}): Promise<Answer> =>
  app.request('POST', link, form, { ...FORM, ...headers });

/** The fields of the page's form for this action, with its boxes as they are, as a browser sends them. */
function formOf(html: string, action: string, tick: readonly string[] = []): string {
  const form = [...html.matchAll(/<form method="post".*?<\/form>/gs)].find(([text]) =>
    text.includes(`name="action" value="${action}"`),
  )?.[0];
  if (form === undefined) throw new Error(`The page has no form for ${action}.`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(input) ?? [];
    if (!input.includes('checkbox') || tick.includes(value)) fields.append(name, value);
  }
  return fields.toString();
}

const PREFERENCES = `query($id: ID!) { contact(id: $id) { subscriptionStatus preferences { pausedUntil
  topics { topic { key } isSubscribed isChosen } } } }`;
const CHANGES = `query($id: ID!) { preferenceChanges(id: $id) { edges { node { kind topic until way messageId actor changedAt } } } }`;
const changesOf = async (id: string): Promise<any[]> =>
  (await ask(CHANGES, { id })).preferenceChanges.edges.map(({ node }: any) => node);

/** Everything stored about a contact, to verify that nothing changes. */
async function keptOf(contactId: string): Promise<unknown> {
  const { rows } = await admin.query(
    `SELECT to_jsonb(c) AS contact, (SELECT count(*)::int FROM refusals WHERE workspace_id = c.workspace_id) AS refusals,
       (SELECT jsonb_agg(p) FROM contact_preferences p WHERE p.contact_id = c.id) AS preferences,
       (SELECT jsonb_agg(h) FROM preference_changes h WHERE h.contact_id = c.id) AS changes
     FROM contacts c WHERE c.id = $1`,
    [contactId],
  );
  return rows;
}

test('the link of a mail opens a page in the person’s language, and scanners change nothing', async () => {
  const { id, link, externalId } = await personWithLink({ locale: 'de-AT' });
  const mail = app.sink.mails.findLast(({ to }) => to.includes(`${externalId}@example.com`))!;
  expect(mail.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im);
  const before = await keptOf(id);
  for (const headers of [
    {},
    { 'sec-purpose': 'prefetch', purpose: 'prefetch' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Safelinks)', 'accept-language': 'fr' },
  ]) {
    const { status, body, headers: responseHeaders } = await app.request('GET', link, undefined, headers);
    expect(status).toBe(200);
    expect(body).toContain('<html lang="de">');
    expect(body).toContain('Von allem abmelden');
    expect(body).toContain('Neuigkeiten');
    expect(body).toContain('p***@e***.com');
    expect(responseHeaders.get('cache-control')).toBe('no-store');
  }
  expect((await app.request('HEAD', link)).status).toBe(200);
  for (const action of ['unsubscribe', 'choose', 'pause'])
    await app.request('GET', `${link}&action=${action}`);
  expect(await keptOf(id)).toEqual(before);
});

test('without a locale the browser’s language is taken, and a link that is none of ours says so in it', async () => {
  const { link } = await personWithLink();
  const spanish = { 'accept-language': 'ja, es-MX;q=0.8, en;q=0.5' };
  expect((await app.request('GET', link, undefined, spanish)).body).toContain('<html lang="es">');
  const invalid = await app.request('GET', '/v1/public/unsubscribe?token=x', undefined, spanish);
  expect([invalid.status, invalid.body]).toEqual([401, expect.stringContaining('Este enlace no es válido')]);
});

test('who opts out of a topic gets no mail of it, from the next one on, and all other mail', async () => {
  const { id, externalId, link, messageId } = await personWithLink();
  expect(await send(id, externalId, 'news')).toEqual(SENT);
  const page = await app.request('GET', link);
  const saved = await post(link, formOf(page.body, 'choose', ['digest']));
  expect([saved.status, saved.body]).toEqual([200, expect.stringContaining('Your choices are saved.')]);
  expect(await send(id, externalId, 'news')).toEqual(suppressed('unsubscribed_topic'));
  expect(await send(id, externalId, 'digest')).toEqual(SENT);
  expect(await send(id, externalId, 'hello')).toEqual(SENT);
  expect((await ask(PREFERENCES, { id })).contact.preferences).toEqual({
    pausedUntil: null,
    topics: [
      { topic: { key: 'news' }, isSubscribed: false, isChosen: true },
      { topic: { key: 'digest' }, isSubscribed: true, isChosen: true },
    ],
  });
  const written = { until: null, way: 'page', messageId, actor: null, changedAt: expect.any(String) };
  const changes = await changesOf(id);
  expect(changes).toHaveLength(2);
  expect(changes).toEqual(
    expect.arrayContaining([
      { ...written, kind: 'opted_in', topic: 'digest' },
      { ...written, kind: 'opted_out', topic: 'news' },
    ]),
  );
});

test('mail of a topic that nobody gets unasked waits for a choice', async () => {
  const { id, externalId } = await person();
  expect(await send(id, externalId, 'digest')).toEqual(suppressed('unsubscribed_topic'));
});

test('a pause suppresses promotional mail for 30 days, and ends early by the person’s wish', async () => {
  const { id, externalId, link } = await personWithLink();
  const paused = await post(link, formOf((await app.request('GET', link)).body, 'pause'));
  expect(paused.body).toContain('Your emails are paused');
  const until = new Date(app.clock.now().getTime() + 30 * DAY);
  expect((await ask(PREFERENCES, { id })).contact.preferences.pausedUntil).toBe(until.toISOString());
  expect(await send(id, externalId, 'hello')).toEqual(suppressed('paused'));
  const resumed = await post(link, formOf((await app.request('GET', link)).body, 'resume'));
  expect(resumed.body).toContain('The pause has ended.');
  expect(await send(id, externalId, 'hello')).toEqual(SENT);
  await post(link, 'action=pause');
  app.clock.wind(30 * DAY);
  expect(await send(id, externalId, 'hello')).toEqual(SENT);
  expect((await changesOf(id)).map(({ kind, until: end }) => [kind, end !== null])).toEqual([
    ['paused', true],
    ['resumed', false],
    ['paused', true],
  ]);
});

test('the person comes back by the page, and the moment and the way are kept', async () => {
  const { id, externalId, link, messageId } = await personWithLink();
  await post(link, 'action=pause');
  const done = await post(link, formOf((await app.request('GET', link)).body, 'unsubscribe'));
  expect(done.body).toContain('You are unsubscribed');
  expect(await send(id, externalId, 'hello')).toEqual(suppressed('unsubscribed'));
  // Now only resubscribing is possible, and only on this page.
  for (const action of ['choose', 'pause', 'resume'])
    expect((await post(link, `action=${action}`)).status).toBe(409);
  const again = { external_id: externalId, email: `${externalId}@example.com` };
  expect((await workspace.call('POST', '/v1/contacts', again)).body.subscription_status).toBe('unsubscribed');
  const back = await post(link, formOf((await app.request('GET', link)).body, 'come_back'));
  expect(back.body).toContain('You are subscribed again.');
  expect(await send(id, externalId, 'hello')).toEqual(SENT);
  expect((await changesOf(id))[0]).toEqual({
    ...{ kind: 'opted_in', topic: null, until: null, way: 'page', messageId, actor: null },
    changedAt: expect.any(String),
  });
  expect((await ask(PREFERENCES, { id })).contact).toMatchObject({
    subscriptionStatus: 'subscribed',
    preferences: { pausedUntil: null },
  });
});

test('a hundred one-clicks at once are one opt-out', async () => {
  const { id, link, messageId } = await personWithLink();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => post(link, 'List-Unsubscribe=One-Click')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await changesOf(id)).toEqual([
    expect.objectContaining({ kind: 'opted_out', topic: null, way: 'one_click', messageId }),
  ]);
});

test('a token of which one bit is another is refused, whatever is asked', async () => {
  const { id, link } = await personWithLink();
  const before = await keptOf(id);
  const start = link.indexOf('token=') + 'token='.length;
  for (const at of [start, start + 6, start + 40, start + 90, link.length - 20, link.length - 2]) {
    const other = link[at] === 'A' ? 'B' : 'A';
    const tampered = link.slice(0, at) + other + link.slice(at + 1);
    expect((await app.request('GET', tampered)).status).toBe(401);
    for (const form of ['List-Unsubscribe=One-Click', 'action=pause', 'action=come_back'])
      expect((await post(tampered, form)).status).toBe(401);
  }
  expect(await keptOf(id)).toEqual(before);
  // An unknown action unsubscribes, like any request that a mail program sends.
  expect((await post(link, 'action=everything')).body).toContain('You are unsubscribed');
});

test('the link of a mail to an address that the person has left unsubscribes, and does nothing else', async () => {
  const { id, externalId, link } = await personWithLink();
  await workspace.call('PATCH', `/v1/contacts/${externalId}`, { email: `new-${externalId}@example.com` });
  const page = await app.request('GET', link);
  expect([...page.body.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action)).toEqual([
    'unsubscribe',
  ]);
  const before = await keptOf(id);
  for (const action of ['choose', 'pause', 'come_back']) {
    const refused = await post(link, `action=${action}`);
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('no longer possible')]);
  }
  expect(await keptOf(id)).toEqual(before);
  expect((await post(link, 'action=unsubscribe')).status).toBe(200);
  expect((await post(link, 'action=come_back')).status).toBe(409);
  expect((await ask(PREFERENCES, { id })).contact.subscriptionStatus).toBe('unsubscribed');
});

test('who turns choices to and fro all day is stopped for the day, but never kept from unsubscribing', async () => {
  const { id, link } = await personWithLink();
  for (let turn = 0; turn < 50; turn++)
    for (const action of ['pause', 'resume']) expect((await post(link, `action=${action}`)).status).toBe(200);
  const refused = await post(link, 'action=pause');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400']);
  expect(refused.body).toContain('try again tomorrow');
  expect((await post(link, 'action=unsubscribe')).status).toBe(200);
  expect((await post(link, 'action=come_back')).status).toBe(429);
  expect((await ask(PREFERENCES, { id })).contact.subscriptionStatus).toBe('unsubscribed');
  app.clock.wind(DAY + 1_000);
  expect((await post(link, 'action=come_back')).status).toBe(200);
});

test('a simulation of what happened heeds what people have chosen by now', async () => {
  const from = app.clock.now();
  const [eager, weary, picky] = [await personWithLink(), await personWithLink(), await personWithLink()];
  for (const { id, externalId } of [eager, weary, picky]) await send(id, externalId, 'news');
  await post(weary.link, 'action=pause');
  await post(picky.link, 'action=choose&shown=news');
  app.clock.wind(1_000);
  const { rows } = await admin.query<{ id: string }>(
    `SELECT id FROM flows WHERE workspace_id = $1 AND trigger_event = 'news'`,
    [workspace.id],
  );
  const { simulateFlow } = await ask(
    `query($id: ID!, $from: DateTime!, $to: DateTime!) {
       simulateFlow(flowId: $id, from: $from, to: $to) { trips { started } unsent { kind reason messages } } }`,
    { id: rows[0]?.id, from, to: app.clock.now() },
  );
  expect(simulateFlow.trips.started).toBe(3);
  expect(simulateFlow.unsent).toEqual(
    expect.arrayContaining([
      { kind: 'suppressed', reason: 'paused', messages: 1 },
      { kind: 'suppressed', reason: 'unsubscribed_topic', messages: 1 },
    ]),
  );
});

test('an erasure takes the choices, and what was written down names nobody any more', async () => {
  const { id, externalId, link } = await personWithLink();
  await post(link, 'action=choose&shown=news');
  const erased = await ask('mutation($id: ID!) { eraseContact(id: $id) { preferences } }', { id });
  expect(erased.eraseContact).toEqual({ preferences: 1 });
  const kept = JSON.stringify(await keptOf(id));
  expect(kept).not.toContain(externalId);
  expect(JSON.parse(kept)).toEqual([
    expect.objectContaining({ preferences: null, changes: [expect.objectContaining({ kind: 'opted_out' })] }),
  ]);
  // The link can still unsubscribe the contact, and nothing else.
  expect((await post(link, 'action=pause')).status).toBe(409);
  expect((await post(link, 'List-Unsubscribe=One-Click')).status).toBe(200);
  expect((await changesOf(id)).map(({ way }) => way)).toEqual(['one_click', 'page']);
});
