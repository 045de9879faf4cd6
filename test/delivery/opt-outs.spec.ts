/**
 * An opt-out is preserved on every path (sections 2.11, 4.8): after any sequence of changes to contacts, a person
 * who has opted out and not opted in again gets no promotional mail at that identifier or address.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { ContactBulkService } from '../../src/modules/contacts/application/contact-bulk.service.js';
import { OptOuts } from '../../src/modules/contacts/application/opt-outs.js';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { UnsubscribeService } from '../../src/modules/unsubscribe/application/unsubscribe.service.js';
import { deriveKey } from '../../src/platform/crypto/derived-key.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { runs } from '../support/test-scope.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
  const template = { name: 'News', slug: 'news', subject: 'News', body_html: '<p>News</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  for (const [trigger, steps] of [
    ['news', [{ type: 'send_email', template_slug: 'news' }]],
    ['moved', [{ type: 'update_contact', set: { email: 'MOVED@example.com' } }]],
  ] as const) {
    const flow = { name: trigger, trigger_event: trigger, content_type: 'promotional', steps };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).body.status).toBe('active');
  }
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const scope = () => ({ workspaceId: workspace.id, environment: 'live' as const });

async function none(what: string, sql: string): Promise<void> {
  await until(what, async () => (await admin.query(sql, [workspace.id])).rowCount === 0);
}
const processed = () =>
  none('events are processed', 'SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL');
const settled = () =>
  none(
    'messages are settled',
    `SELECT FROM trips WHERE workspace_id = $1 AND status NOT IN ('completed', 'failed', 'terminated')`,
  );

function unsubscribe(contactId: string): Promise<{ status: number }> {
  return app.request('POST', linkOf(contactId));
}

/** An unsubscribe link in the old format, from before links contained the address. */
function linkOf(contactId: string): string {
  return app.app.get(UnsubscribeLinks, { strict: false }).pathOf(tokenOf(contactId));
}

function tokenOf(contactId: string): string {
  const [secret = ''] = app.config.tokenSecrets;
  const ids = [workspace.id, contactId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
  const claims = Buffer.concat([Buffer.from([1, 1]), ...ids]);
  const signature = createHmac('sha256', deriveKey(secret, 'unsubscribe')).update(claims).digest();
  return Buffer.concat([claims, signature]).toString('base64url');
}

/** The one-click link of the only mail that arrived, as mail programs post to it. */
function linkInMail(): string {
  expect(app.sink.mails).toHaveLength(1);
  const address = /^List-Unsubscribe:\s*<([^>]*)>/im.exec(app.sink.mails[0]?.raw ?? '')?.[1] ?? '';
  const url = new URL(address);
  return url.pathname + url.search;
}

/** Retries while the service answers that it is busy or has mail to the person in flight. */
async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  const isLater = (): boolean =>
    answer.status === 503 || /"(conflict|service_unavailable)"/.test(JSON.stringify(answer.body));
  await until('the service has time', async () => {
    if (isLater()) answer = await ask();
    return !isLater();
  });
  return answer;
}
const call = (method: string, path: string, body?: object): Promise<Answer> =>
  answered(() => workspace.call(method, path, body));
const upsert = async (externalId: string, fields: object): Promise<any> => {
  const { status, body } = await call('POST', '/v1/contacts', { external_id: externalId, ...fields });
  expect([200, 201]).toContain(status);
  return body;
};
const statusOf = async (externalId: string): Promise<string> => {
  const { body } = await call('GET', `/v1/contacts/${externalId}`);
  return body.subscription_status ?? body;
};
const remove = async (externalId: string): Promise<void> =>
  expect([204, 404]).toContain((await call('DELETE', `/v1/contacts/${externalId}`)).status);
const erase = async (externalId: string): Promise<void> => {
  const mutation = 'mutation($id: ID!) { eraseContact(id: $id) { id } }';
  const { body } = await answered(() => workspace.graphql(mutation, { id: externalId }));
  expect([undefined, 'contact_not_found']).toContain(body.errors?.[0].extensions.code);
};

/** Sends promotional mail to contacts; returns the addresses that received it. */
async function reached(externalIds: readonly string[]): Promise<string[]> {
  app.sink.mails.length = 0;
  for (const external_id of externalIds)
    expect((await call('POST', '/v1/events', { external_id, event_name: 'news' })).status).toBe(202);
  await processed();
  await settled();
  return app.sink.mails.flatMap(({ to }) => to);
}

describe('a refusal is kept', () => {
  test('when a deleted contact unsubscribes and comes back', async () => {
    const { id } = await upsert('deleted', { email: 'deleted@example.com' });
    await remove('deleted');
    expect((await unsubscribe(id)).status).toBe(200);
    expect(await statusOf('deleted')).toBe('deleted');
    expect((await app.request('GET', linkOf(id))).body).toContain('You are unsubscribed');
    expect(await upsert('deleted', { first_name: 'Back' })).toMatchObject({
      subscription_status: 'unsubscribed',
      updated_fields: ['first_name', 'subscription_status'],
    });
  });

  test.each([
    ['before', true],
    ['after', false],
  ])('when a person refuses %s the erasure, and is made anew', async (when, before) => {
    const [name, email] = [`erased-${when}`, `erased-${when}@example.com`];
    const { id } = await upsert(name, { email });
    if (before) await unsubscribe(id);
    await erase(name);
    if (!before) expect((await unsubscribe(id)).status).toBe(200);
    expect((await app.request('GET', linkOf(id))).body).toContain('You are unsubscribed');
    expect(await upsert(name, {})).toMatchObject({ created: true, subscription_status: 'unsubscribed' });
    expect(await upsert(`${name}-2`, { email: email.toUpperCase() })).toMatchObject({
      subscription_status: 'unsubscribed',
    });
  });

  test('at the address when another contact has it, whatever the spelling, at once and later', async () => {
    const { id } = await upsert('first', { email: 'Shared@Bücher.example' });
    await upsert('had', { email: 'shared@xn--bcher-kva.example' });
    expect(await reached(['had'])).toHaveLength(1);
    await unsubscribe(id);
    expect(await reached(['had'])).toEqual([]);
    await upsert('other', { email: 'other@example.com' });
    const moved = await workspace.call('PATCH', '/v1/contacts/other', {
      email: 'SHARED@xn--bcher-kva.EXAMPLE',
    });
    expect(moved.body.subscription_status).toBe('unsubscribed');
    expect(await statusOf('other')).toBe('unsubscribed');
  });

  test("at the address that a flow's step gives", async () => {
    const { id } = await upsert('mover', { email: 'moved@example.com' });
    await unsubscribe(id);
    await upsert('stepped', { email: 'stepped@example.com' });
    await workspace.call('POST', '/v1/events', { external_id: 'stepped', event_name: 'moved' });
    await processed();
    await settled();
    expect((await workspace.call('GET', '/v1/contacts/stepped')).body).toMatchObject({
      email: 'MOVED@example.com',
      subscription_status: 'unsubscribed',
    });
  });

  test('at the address that the mail went to, which the person has left since', async () => {
    await upsert('left', { email: 'Before@Bücher.example' });
    await reached(['left']);
    const link = linkInMail();
    await upsert('left', { email: 'after@example.com' });
    expect((await app.request('POST', link)).status).toBe(200);
    expect(await statusOf('left')).toBe('unsubscribed');
    expect((await app.request('GET', link)).body).toContain('You are unsubscribed');
    await upsert('left-2', { email: 'before@xn--bcher-kva.example' });
    await upsert('left-3', { email: 'after@example.com' });
    expect(await reached(['left-2', 'left-3'])).toEqual([]);
  });

  test('at the address of an older mail too, when the contact has refused at a newer one', async () => {
    const { id } = await upsert('twice', { email: 'older@example.com' });
    await reached(['twice']);
    const link = linkInMail();
    await upsert('twice', { email: 'newer@example.com' });
    await unsubscribe(id);
    expect((await app.request('GET', link)).body).toContain('Unsubscribe?');
    expect((await app.request('POST', link)).status).toBe(200);
    expect((await app.request('GET', link)).body).toContain('You are unsubscribed');
    expect(await upsert('twice-2', { email: 'older@example.com' })).toMatchObject({
      subscription_status: 'unsubscribed',
    });
  });

  test('among a thousand others, asked for at once', async () => {
    const { id } = await upsert('m500', { email: 'm500@example.com' });
    await unsubscribe(id);
    await erase('m500');
    const contacts = Array.from({ length: 1_000 }, (_, n) => ({
      external_id: `m${n}`,
      email: `m${n}@example.com`,
    }));
    await app.app
      .get(ContactBulkService, { strict: false })
      .upsert(scope(), 'enterprise', { contacts, onConflict: 'merge' });
    const { rows } = await admin.query(
      `SELECT external_id FROM contacts WHERE workspace_id = $1 AND email LIKE 'm%' AND subscription_status = 'unsubscribed'
       AND external_id LIKE 'm%0'`,
      [workspace.id],
    );
    expect(rows).toEqual([{ external_id: 'm500' }]);
  });

  test('in its environment and workspace only', async () => {
    const { id } = await upsert('here', { email: 'here@example.com' });
    await unsubscribe(id);
    const other = await app.workspace();
    const elsewhere = await other.call('POST', '/v1/contacts', {
      external_id: 'here',
      email: 'here@example.com',
    });
    expect(elsewhere.body.subscription_status).toBe('subscribed');
    const sandbox = { 'x-api-key': workspace.testKey };
    const inTest = await workspace.call(
      'POST',
      '/v1/contacts',
      { external_id: 'here', email: 'here@example.com' },
      sandbox,
    );
    expect(inTest.body.subscription_status).toBe('subscribed');
  });

  test('when an application asks to subscribe who has opted out: the request is refused as a whole', async () => {
    const { id } = await upsert('firm', { email: 'firm@example.com' });
    expect((await unsubscribe(id)).status).toBe(200);
    const subscribed = { subscription_status: 'subscribed', first_name: 'F' };
    const post = (fields: object): Promise<Answer> =>
      call('POST', '/v1/contacts', { ...subscribed, ...fields });
    for (const answer of [
      await post({ external_id: 'firm' }),
      await post({ external_id: 'firm', email: 'firm2@example.com' }),
      await post({ external_id: 'firm-2', email: 'FIRM@example.com' }),
      await call('PATCH', '/v1/contacts/firm', subscribed),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_field']);
      expect(answer.body.errors).toEqual([
        { field: 'subscription_status', message: expect.stringContaining('the contact has opted out') },
      ]);
    }
    expect((await call('GET', '/v1/contacts/firm')).body).toMatchObject({
      subscription_status: 'unsubscribed',
      first_name: null,
      email: 'firm@example.com',
    });
    expect((await call('GET', '/v1/contacts/firm-2')).status).toBe(404);
    await remove('firm');
    expect((await post({ external_id: 'firm' })).status).toBe(422);
    const bulk = await call('POST', '/v1/contacts/bulk', {
      contacts: [
        { external_id: 'firm', ...subscribed },
        { external_id: 'fresh', ...subscribed },
        { external_id: 'turned', subscription_status: 'unsubscribed' },
        { external_id: 'turned', ...subscribed },
      ],
    });
    expect(bulk.body).toMatchObject({ total: 4, created: 2, updated: 0, skipped: 0 });
    expect(bulk.body.errors.map((error: any) => [error.index, error.external_id, error.code])).toEqual([
      [0, 'firm', 'invalid_field'],
      [3, 'turned', 'invalid_field'],
    ]);
    expect([await statusOf('fresh'), await statusOf('turned')]).toEqual(['subscribed', 'unsubscribed']);
  });

  test('when an application says that a contact is unsubscribed', async () => {
    await upsert('told', { email: 'told@example.com' });
    app.clock.wind(1_000);
    const updated = await call('PATCH', '/v1/contacts/told', { subscription_status: 'unsubscribed' });
    expect(updated.body).toMatchObject({
      subscription_status: 'unsubscribed',
      updated_at: app.clock.now().toISOString(),
    });
    expect(await upsert('told', { subscription_status: 'unsubscribed' })).toMatchObject({
      updated_fields: [],
    });
    expect(await reached(['told'])).toEqual([]);
    expect((await call('PATCH', '/v1/contacts/told', { subscription_status: 'subscribed' })).status).toBe(
      422,
    );
    expect(
      await upsert('made-out', { subscription_status: 'unsubscribed', email: 'm-out@example.com' }),
    ).toMatchObject({
      created: true,
      subscription_status: 'unsubscribed',
    });
    expect(await upsert('same-address', { email: 'told@example.com' })).toMatchObject({
      subscription_status: 'unsubscribed',
    });
    expect(await upsert('stays', { subscription_status: 'subscribed' })).toMatchObject({
      subscription_status: 'subscribed',
    });
    expect((await call('PATCH', '/v1/contacts/stays', { subscription_status: 'subscribed' })).status).toBe(
      200,
    );
  });

  test('as nothing that tells who refused', async () => {
    const { rows } = await admin.query('SELECT * FROM refusals r, erased_contacts e');
    expect(JSON.stringify(rows)).not.toContain('example');
    expect(rows.length).toBeGreaterThan(0);
  });
});

interface Person {
  readonly record: string;
  readonly email: string | null;
  readonly status: 'subscribed' | 'unsubscribed' | 'deleted';
}

/** A simple model of contacts and opt-outs. */
class Model {
  readonly people = new Map<string, Person>();
  /** Every record that ever existed, with its identifiers, or those from before its person was erased. */
  readonly records = new Map<string, readonly (string | null)[]>();
  readonly refused = new Set<string>();
  /** Every email that could have been sent: the record and the address at that time. */
  readonly emails: { readonly record: string; readonly sentTo: string }[] = [];

  mayReach(...called: readonly (string | null)[]): boolean {
    return !called.some((text) => this.refused.has(String(text).toLowerCase()));
  }

  /** A contact was created, restored or changed. */
  put(name: string, record: string, email: string | null): void {
    const before = this.people.get(name);
    const isNews = before?.status !== 'subscribed' || before.email !== email;
    const status =
      before?.status === 'unsubscribed' || (isNews && !this.mayReach(name, email))
        ? 'unsubscribed'
        : 'subscribed';
    this.people.set(name, { record, email, status });
    this.records.set(record, [name, email]);
    if (email !== null) this.emails.push({ record, sentTo: email });
  }

  refuse(record: string, sentTo: string | null): void {
    for (const called of [...(this.records.get(record) ?? []), sentTo])
      if (called !== null) this.refused.add(called.toLowerCase());
    for (const [name, person] of this.people)
      if (person.record === record && person.status === 'subscribed')
        this.people.set(name, { ...person, status: 'unsubscribed' });
  }
}

const who = fc.constantFrom('a', 'b', 'c');
const where = fc.constantFrom('x', 'y');
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('upsert' as const), who, where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bulk' as const), who, where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('event' as const), who, where }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('patch' as const), who, where }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('unsubscribe' as const),
      email: fc.nat(19),
      isOld: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('come back' as const), who }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies a command to the service and to the model. */
async function carryOut(done: Command, model: Model, called: (text: string) => string): Promise<void> {
  if (done.kind === 'unsubscribe') {
    const email = model.emails[done.email % Math.max(1, model.emails.length)];
    if (email === undefined) return;
    const { record, sentTo } = email;
    const link = app.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope(), record, sentTo);
    const token = done.isOld ? tokenOf(record) : (new URL(link).searchParams.get('token') ?? '');
    // Not over HTTP, and neither are bulks: all runs together exceed the rate limit of one address.
    await app.app
      .get(UnsubscribeService, { strict: false })
      .perform(token, { kind: 'unsubscribe', way: 'one_click' }, undefined);
    return model.refuse(record, done.isOld ? null : sentTo);
  }
  const name = called(done.who);
  const known = model.people.get(name);
  switch (done.kind) {
    case 'upsert':
    case 'bulk':
    case 'event': {
      const contact = { external_id: name, email: `${called(done.where)}@example.com` };
      if (done.kind === 'upsert') await upsert(name, { email: contact.email });
      else if (done.kind === 'bulk')
        await app.app
          .get(ContactBulkService, { strict: false })
          .upsert(scope(), 'enterprise', { contacts: [contact], onConflict: 'merge' });
      else {
        const event = { external_id: name, event_name: 'seen', contact: { email: contact.email } };
        expect((await call('POST', '/v1/events', event)).status).toBe(202);
        await processed();
      }
      const { body } = await call('GET', `/v1/contacts/${name}`);
      return model.put(name, body.id, contact.email);
    }
    case 'patch': {
      const email = `${called(done.where)}@example.com`.toUpperCase();
      const { status } = await call('PATCH', `/v1/contacts/${name}`, { email });
      const isThere = known !== undefined && known.status !== 'deleted';
      expect(status).toBe(isThere ? 200 : 404);
      if (isThere) model.put(name, known.record, email);
      return;
    }
    case 'delete':
      await remove(name);
      // A record that is unsubscribed and about to change its status leaves an opt-out for all its identifiers.
      if (known?.status === 'unsubscribed') model.refuse(known.record, null);
      if (known) model.people.set(name, { ...known, status: 'deleted' });
      return;
    case 'erase':
      await erase(name);
      if (known?.status === 'unsubscribed') model.refuse(known.record, null);
      model.people.delete(name);
      return;
    case 'come back': {
      if (!known) return;
      const refusals = app.app.get(OptOuts, { strict: false });
      const database = app.app.get(Database, { strict: false });
      await database.inScope(scope(), (tx) => refusals.optIn(tx, scope(), known.record, app.clock.now()));
      model.refused.delete(name);
      model.refused.delete(String(known.email).toLowerCase());
      if (known.status === 'unsubscribed') model.people.set(name, { ...known, status: 'subscribed' });
    }
  }
}

test('whatever happens in whatever order, mail goes to nobody who refused, and to everybody else', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), async (commands) => {
      const suffix = `-${++run}`;
      const called = (text: string): string => text.toLowerCase() + suffix;
      const model = new Model();
      for (const one of commands) await carryOut(one, model, called);

      for (const [name, { status }] of model.people)
        expect([name, await statusOf(name)]).toEqual([name, status]);
      const mail = await reached([...model.people.keys()]);
      const wanted = [...model.people].flatMap(([name, { email, status }]) =>
        status === 'subscribed' && model.mayReach(name, email) ? [String(email).toLowerCase()] : [],
      );
      expect(mail.map((to) => to.toLowerCase()).sort()).toEqual(wanted.sort());
    }),
    { numRuns: runs(25) },
  );
});
