/**
 * Sending domains over GraphQL, a DNS server on loopback and SMTP: an independent library verifies the received mail.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { DnsServer } from '../support/dns-server.js';
import {
  ADD,
  CHECK,
  judgedBy,
  LIST,
  recordOf,
  REMOVE,
  ROTATE,
  setRecordsOf,
  type ShownDomain,
  states,
} from '../support/sending-domains.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const SHARED = 'mail.host.test';
const OPERATOR = { ip: '192.0.2.1', helo: SHARED };

let dns: DnsServer;
let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let domain: string;

beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('TXT', SHARED, 'v=spf1 ip4:192.0.2.1 -all');
  app = await bootApp({ env: { DNS_SERVERS: dns.address, SHARED_SENDING_DOMAIN: SHARED } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
  await dns?.stop();
});

const setRecords = (shown: ShownDomain, purposes?: readonly string[]): void =>
  setRecordsOf(dns, shown, purposes);
const judged = (mail: ReceivedMail) => judgedBy(dns, mail, OPERATOR);

let serial = 0;
beforeEach(async () => {
  domain = `acme${++serial}.test`;
  workspace = await app.workspace({ sender: { from_email: `hello@${domain}`, from_name: 'Acme' } });
  app.sink.mails.length = 0;
  dns.isFailing = false;
});

async function asked(query: string, variables: object = {}, by = workspace): Promise<ShownDomain> {
  const { body } = await by.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return Object.values(body.data as object)[0] as ShownDomain;
}
const add = (name = domain, by = workspace): Promise<ShownDomain> => asked(ADD, { domain: name }, by);
const check = ({ id }: ShownDomain, by = workspace): Promise<ShownDomain> => asked(CHECK, { id }, by);
const codeOf = ({ body }: Answer): unknown[] => [
  body.errors?.[0]?.extensions.code,
  body.errors?.[0]?.extensions.errors?.[0]?.field,
];
async function listed(by = workspace): Promise<ShownDomain[]> {
  const { body } = await by.graphql(LIST);
  return body.data.sendingDomains.edges.map(({ node }: { node: ShownDomain }) => node);
}
const shown = async (id: string): Promise<ShownDomain> => (await listed()).find((each) => each.id === id)!;

/** The audit log's entries for a domain, oldest first. */
async function auditEntries(id: string): Promise<{ action: string; by: string }[]> {
  const { body } = await workspace.graphql(
    `{ auditLog(first: 50, subjectId: "${id}") { edges { node { action actor } } } workspace { id } }`,
  );
  const edges = body.data.auditLog.edges as { node: { action: string; actor: string } }[];
  return edges
    .map(({ node: { action, actor } }) => ({ action, by: actor === 'system' ? actor : 'a member' }))
    .reverse();
}
async function verified(name = domain, by = workspace): Promise<ShownDomain> {
  const added = await add(name, by);
  setRecords(added);
  const checked = await check(added, by);
  expect(checked.status).toBe('verified');
  return checked;
}

async function testMail(more: object = {}, by = workspace, headers: Record<string, string> = {}) {
  const body = { to_emails: ['ada@example.com'], body_html: '<p>Hi</p>', ...more };
  const answer = await by.call('POST', '/v1/templates/test-send', body, headers);
  expect([answer.status, answer.body.sent_count]).toEqual([200, 1]);
  return app.sink.to(body.to_emails[0]!).at(-1)!;
}
const fromOf = async (mail: ReceivedMail) => (await MailSink.parse(mail)).from;

test('a domain is added with the records that it needs, found missing, then found, then sent from', async () => {
  const added = await add(` ${domain.toUpperCase()}. `);
  expect(added).toMatchObject({ domain, readableDomain: domain, status: 'pending', signingSelector: null });
  expect(
    added.records.map(({ purpose, type, host, isRequired }: any) => [purpose, type, host, isRequired]),
  ).toEqual([
    ['ownership', 'TXT', `_waypost.${domain}`, true],
    ['dkim', 'TXT', expect.stringMatching(new RegExp(`^w[0-9a-f]{12}\\._domainkey\\.${domain}$`)), true],
    ['return_path', 'CNAME', `bounces.${domain}`, false],
    ['spf', 'TXT', `bounces.${domain}`, false],
    ['dmarc', 'TXT', `_dmarc.${domain}`, false],
  ]);

  await until('a worker has looked', async () => (await shown(added.id)).checkedAt !== null);
  const missing = await shown(added.id);
  expect(missing.status).toBe('pending');
  expect(missing.reason).toContain(`TXT record of _waypost.${domain} is missing`);
  expect(new Set(Object.values(states(missing)))).toEqual(new Set(['missing']));
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${SHARED}`);

  setRecords(added, ['ownership', 'dkim']);
  dns.set('TXT', `_dmarc.${domain}`, 'v=DMARC1; p=everything');
  const bare = await check(added);
  expect(bare).toMatchObject({ status: 'verified', reason: null });
  expect(states(bare)).toEqual({
    ownership: 'ok',
    dkim: 'ok',
    return_path: 'missing',
    spf: 'missing',
    dmarc: 'wrong',
  });
  expect(recordOf(bare, 'dmarc').found).toEqual(['v=DMARC1; p=everything']);
  const unaligned = await testMail();
  expect([(await fromOf(unaligned))?.address, unaligned.from]).toEqual([
    `hello@${domain}`,
    `hello@${SHARED}`,
  ]);

  setRecords(added);
  const whole = await check(added);
  expect(new Set(Object.values(states(whole)))).toEqual(new Set(['ok']));
  const mail = await testMail({ sender_name: 'Olive', reply_to: 'help@elsewhere.test' });
  expect(mail.from).toBe(`hello@bounces.${domain}`);
  expect(await MailSink.parse(mail)).toMatchObject({
    from: { name: 'Olive', address: `hello@${domain}` },
    replyTo: [{ address: 'help@elsewhere.test' }],
  });
  const { dkim, spf, dmarc } = await judged(mail);
  expect(dkim.results.map((one: any) => [one.status.result, one.signingDomain, one.selector])).toEqual([
    ['pass', domain, whole.signingSelector],
  ]);
  expect(spf && spf.status.result).toBe('pass');
  expect(dmarc && [dmarc.status.result, dmarc.alignment.dkim.result, dmarc.alignment.spf.result]).toEqual([
    'pass',
    domain,
    `bounces.${domain}`,
  ]);
});

test('mail of a flow is signed, with both fields of one-click unsubscribing', async () => {
  await verified();
  const template = { name: 'sale', slug: 'sale', subject: 'Größe & Sale 😀', body_html: '<p>Hi</p>' };
  await workspace.call('POST', '/v1/templates', template);
  const flow = {
    name: 'Sale',
    trigger_event: 'signed_up',
    content_type: 'promotional',
    steps: [{ type: 'send_email', template_slug: 'sale' }],
  };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  await workspace.call('POST', `/v1/flows/${body.id}/activate`);
  for (const id of ['a', 'b', 'c'])
    await workspace.call('POST', '/v1/events', {
      external_id: id,
      event_name: 'signed_up',
      contact: { email: `${id}@example.com` },
    });
  await until('all three have arrived', () => app.sink.mails.length === 3);
  expect(new Set(app.sink.mails.map(({ messageId }) => messageId)).size).toBe(3);
  for (const mail of app.sink.mails) {
    const { dkim, dmarc } = await judged(mail);
    const [result] = dkim.results as any[];
    expect([result.status.result, dmarc && dmarc.status.result]).toEqual(['pass', 'pass']);
    const signed = result.signingHeaders.keys.toLowerCase().split(/[:,]\s*/);
    for (const name of ['from', 'to', 'subject', 'list-unsubscribe', 'list-unsubscribe-post', 'feedback-id'])
      expect(signed).toContain(name);
    const changed = mail.raw.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click');
    expect((await judged({ ...mail, raw: changed })).dkim.results[0]?.status.result).not.toBe('pass');
  }
});

test('whatever a name holds, it adds no field and breaks no signature', async () => {
  await verified();
  const names = [
    'Acme\r\nBcc: evil@evil.test',
    'A\u0001b\u2028c',
    '"Acme" <evil@evil.test>',
    'Grüße 😀',
    '=?UTF-8?Q?x?=',
  ];
  for (const name of names) {
    const mail = await testMail({ sender_name: name, subject: `${name} \r\nX-Evil: 1` });
    const parsed = await MailSink.parse(mail);
    const keys = parsed.headers.map(({ key }) => key);
    expect([keys.includes('bcc'), keys.includes('x-evil'), parsed.from?.address]).toEqual([
      false,
      false,
      `hello@${domain}`,
    ]);
    expect((await judged(mail)).dkim.results[0]?.status.result).toBe('pass');
  }
  for (const address of ['', ' ', 'x', `a@${domain}\r\nBcc: x@y.z`, `a@${domain}, b@${domain}`]) {
    const answer = await workspace.call('POST', '/v1/templates/test-send', {
      to_emails: ['ada@example.com'],
      body_html: 'x',
      from_email: address,
    });
    expect([address, answer.status, answer.body.errors?.[0]?.field]).toEqual([address, 422, 'from_email']);
  }
});

test('a domain in letters of another language', async () => {
  const written = `bücher${serial}.test`;
  const own = await verified(written);
  expect([own['domain'], own['readableDomain']]).toEqual([expect.stringMatching(/^xn--/), written]);
  const mail = await testMail({ from_email: `hallo@${written.toUpperCase()}` });
  const { dkim, dmarc } = await judged(mail);
  expect([dkim.results[0]?.status.result, dmarc && dmarc.status.result]).toEqual(['pass', 'pass']);
});

test('mail of the test environment, of other domains and of what lies beneath goes from common ones, unsigned', async () => {
  await verified();
  const sent = [
    await testMail({}, workspace, { 'x-api-key': workspace.testKey }),
    await testMail({ from_email: `hello@sub.${domain}` }),
    await testMail({ from_email: 'hello@another.test' }),
  ];
  expect(await Promise.all(sent.map(async (mail) => (await fromOf(mail))?.address))).toEqual([
    `hello@sandbox.${SHARED}`,
    `hello@${SHARED}`,
    `hello@${SHARED}`,
  ]);
  for (const { raw } of sent) expect(raw).not.toMatch(/^dkim-signature/im);
});

test('two workspaces may add a domain, and one alone holds it', async () => {
  const other = await app.workspace({ sender: { from_email: `hello@${domain}` } });
  const first = await verified();
  const second = await add(domain, other);
  expect(recordOf(second, 'ownership').value).not.toBe(recordOf(first, 'ownership').value);
  expect(recordOf(second, 'dkim').host).not.toBe(recordOf(first, 'dkim').host);
  expect(recordOf(await check(second, other), 'ownership')).toMatchObject({ state: 'wrong' });
  dns.set(
    'TXT',
    `_waypost.${domain}`,
    recordOf(first, 'ownership').value,
    recordOf(second, 'ownership').value,
  );
  setRecords(second, ['dkim']);
  const refused = await check(second, other);
  expect([refused.status, refused.reason]).toEqual([
    'pending',
    expect.stringContaining('Another workspace has verified'),
  ]);
  expect((await fromOf(await testMail({}, other)))?.address).toBe(`hello@${SHARED}`);

  expect((await other.graphql(REMOVE, { id: first.id })).body.errors[0].extensions.code).toBe('not_found');
  expect((await other.graphql(CHECK, { id: first.id })).body.errors[0].extensions.code).toBe('not_found');
  expect(await asked(REMOVE, { id: first.id })).toBe(true);
  expect(await listed()).toEqual([]);
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${SHARED}`);
  expect((await check(second, other)).status).toBe('verified');
  expect((await fromOf(await testMail({}, other)))?.address).toBe(`hello@${domain}`);
});

test('a worker notices that a record is gone, says so, and after 72 hours mail goes from the shared domain', async () => {
  const own = await verified();
  const { host } = recordOf(own, 'dkim');
  dns.isFailing = true;
  // A check that began earlier may still succeed, and the next one comes a day later.
  await until('it was asked in vain', async () => {
    app.clock.wind(HOUR);
    return recordOf(await shown(own.id), 'dkim').state === 'unknown';
  });
  expect(await shown(own.id)).toMatchObject({ status: 'verified', graceEndsAt: null });

  dns.isFailing = false;
  dns.remove('TXT', host);
  app.clock.wind(2 * HOUR);
  await until('it is noticed', async () => (await shown(own.id)).status === 'failing');
  const failing = await shown(own.id);
  expect(failing.reason).toContain(`TXT record of ${host} is missing. Mail is sent from the domain until`);
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${domain}`);

  app.clock.wind(3 * DAY);
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${SHARED}`);
  await until('it is unverified', async () => (await shown(own.id)).status === 'unverified');
  const subjects = async (): Promise<(string | undefined)[]> =>
    Promise.all(
      app.sink.mails
        .filter(({ raw }) => /^Feedback-ID: domain:/m.test(raw))
        .map(async (mail) => (await MailSink.parse(mail)).subject),
    );
  await until('the owner has been told of both', async () => (await subjects()).length === 2);
  expect(await subjects()).toEqual([
    `DNS records of ${domain} are missing`,
    `Mail is no longer sent from ${domain}`,
  ]);
  setRecords(own);
  expect((await check(own)).status).toBe('verified');
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${domain}`);
  expect(await auditEntries(own.id)).toEqual([
    { action: 'domain_added', by: 'a member' },
    // By whichever checks first: the worker, or the member who requests a check.
    { action: 'domain_status_changed', by: expect.any(String) },
    { action: 'domain_status_changed', by: 'system' },
    { action: 'domain_status_changed', by: 'system' },
    { action: 'domain_status_changed', by: expect.any(String) },
  ]);
});

test('a key is renewed by a second selector, and the first stays for a week', async () => {
  const own = await verified();
  const renewing = await asked(ROTATE, { id: own.id });
  const [old, next] = renewing.records.filter(({ purpose }) => purpose === 'dkim');
  expect([renewing.status, old?.state, next?.state]).toEqual(['verified', 'ok', 'unknown']);
  expect((await asked(ROTATE, { id: own.id })).records).toHaveLength(renewing.records.length);
  const before = await testMail();
  dns.set('TXT', next!.host, next!.value);
  const renewed = await check(own);
  expect(renewed.signingSelector).toBe(next!.host.split('.')[0]);
  const after = await testMail();
  // Signatures made before are still valid.
  for (const mail of [before, after])
    expect((await judged(mail)).dkim.results[0]?.status.result).toBe('pass');
  expect(after.raw).toContain(`s=${renewed.signingSelector};`);
  expect(codeOf(await workspace.graphql(ROTATE, { id: own.id }))).toEqual(['conflict', undefined]);
  app.clock.wind(8 * DAY);
  await until('the former key is gone', async () => (await shown(own.id)).records.length === 5);
  expect((await shown(own.id)).signingSelector).toBe(renewed.signingSelector);
  expect((await auditEntries(own.id)).slice(2)).toEqual([
    { action: 'domain_key_rotation_begun', by: 'a member' },
    { action: 'domain_key_rotated', by: expect.any(String) },
  ]);
});

describe('refused', () => {
  test.each(['', ' ', 'localhost', 'co.uk', '127.0.0.1', 'a b.test', SHARED, `x.${SHARED}`, 'x'.repeat(300)])(
    'the name %j',
    async (name) => {
      expect(codeOf(await workspace.graphql(ADD, { domain: name }))).toEqual(['invalid_field', 'domain']);
    },
  );

  test('one that the workspace has, a domain too many, and too many changes', async () => {
    const own = await add();
    expect(codeOf(await workspace.graphql(ADD, { domain: `${domain}.` }))).toEqual(['conflict', undefined]);
    await admin.query(
      `INSERT INTO sending_domains (workspace_id, id, domain, token, status, status_since, created_at, updated_at)
       SELECT workspace_id, gen_random_uuid(), n || '.' || domain, token, status, now(), now(), now()
       FROM sending_domains, generate_series(1, 19) n WHERE id = $1`,
      [own.id],
    );
    expect(codeOf(await workspace.graphql(ADD, { domain: `more.${domain}` }))).toEqual([
      'invalid_field',
      'domain',
    ]);
    await admin.query(
      `UPDATE allowances SET uses = jsonb_build_array(jsonb_build_object('at', $2::bigint, 'amount', 60)) WHERE workspace_id = $1`,
      [workspace.id, app.clock.now().getTime()],
    );
    expect(codeOf(await workspace.graphql(CHECK, { id: own.id }))[0]).toBe('rate_limit_exceeded');
  });

  test('whoever may not, and a workspace that is read-only', async () => {
    const members = ['admin', 'developer', 'marketing', 'operations', 'viewer'].map((role) => ({
      email: `${role}${serial}@example.com`,
      role,
    }));
    const own = await app.workspace({
      members: [...members, { email: `boss${serial}@example.com`, role: 'owner' }],
    });
    const askedBy = async (email: string, query: string, variables: object = {}): Promise<unknown> => {
      const headers = { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': own.id };
      const { body } = await app.request('POST', '/graphql', { query, variables }, headers);
      const [error] = body.errors ?? [];
      return error ? (error.extensions.code ?? error.extensions.reason) : 'ok';
    };
    for (const { role, email } of members) {
      const [reads, writes] = [['admin', 'developer'].includes(role), role === 'admin'];
      expect([role, await askedBy(email, LIST)]).toEqual([role, reads ? 'ok' : 'missing_permission']);
      expect([role, await askedBy(email, ADD, { domain })]).toEqual([
        role,
        writes ? 'ok' : 'missing_permission',
      ]);
    }
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [own.id]);
    await until('the suspension is known', async () => {
      const answer = await askedBy(`boss${serial}@example.com`, ADD, { domain: `more.${domain}` });
      return answer === 'workspace_suspended';
    });
  });
});

test('what is stored of a key is of no use without the secret, and none without its own row', async () => {
  const own = await verified();
  const { rows } = await admin.query<{ sealed: string; id: string }>(
    'SELECT id, sealed_private_key AS sealed FROM dkim_keys WHERE workspace_id = $1',
    [workspace.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.sealed).toMatch(/^1\.[\w-]{8}\.[\w-]+$/);
  expect(Buffer.from(rows[0]?.sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(
    'MII',
  );
  const other = await app.workspace({ sender: { from_email: `hello@x.${domain}` } });
  await verified(`x.${domain}`, other);
  await admin.query('UPDATE dkim_keys SET sealed_private_key = $2 WHERE workspace_id = $1', [
    other.id,
    rows[0]?.sealed,
  ]);
  await admin.query('UPDATE sending_domains SET updated_at = now() WHERE workspace_id = $1', [other.id]);
  await until('mail goes from the shared domain', async () => {
    return (await fromOf(await testMail({}, other)))?.address === `hello@${SHARED}`;
  });
  expect((await fromOf(await testMail()))?.address).toBe(`hello@${domain}`);
  expect(own.signingSelector).not.toBeNull();
});
