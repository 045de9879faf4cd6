/** The sender of mail under a workspace's settings; the shared domain's own key; the operator's check of a domain. */
import type { CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DnsServer } from '../support/dns-server.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import {
  ADD,
  CHECK,
  judgedBy,
  recordOf,
  setRecordsOf,
  type ShownDomain,
} from '../support/sending-domains.js';
import { until } from '../support/until.js';
import { UNWATCHED } from '../support/cli-world.js';

const SHARED = 'mail.host.test';

let dns: DnsServer;
let app: TestApp;
let workspace: TestWorkspace;

/** The environment in which the command line runs it, next to the service. */
function world(env: Record<string, string> = {}): CliContext {
  return {
    config: loadConfig({ SHARED_SENDING_DOMAIN: SHARED, ...env }),
    now: () => new Date(),
    readText: () => Promise.reject(new Error('There is no file.')),
    ...UNWATCHED,
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    migrate: () => Promise.resolve([]),
    withServices: (work) => work(app.app),
  };
}
const cli = (...args: string[]): Promise<unknown> => runCommand(args, world());

beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('TXT', SHARED, 'v=spf1 ip4:192.0.2.1 -all');
  dns.set('TXT', `_dmarc.${SHARED}`, 'v=DMARC1; p=reject; adkim=s; aspf=s');
  const made = (await cli('dkim:key')) as {
    readonly variables: Record<string, string>;
    readonly record: { readonly type: 'TXT'; readonly host: string; readonly value: string };
  };
  expect(made.record.host).toBe(`${made.variables['SHARED_DKIM_SELECTOR']}._domainkey.${SHARED}`);
  dns.set(made.record.type, made.record.host, made.record.value);
  app = await bootApp({
    env: { DNS_SERVERS: dns.address, SHARED_SENDING_DOMAIN: SHARED, ...made.variables },
  });
});
afterAll(async () => {
  await app?.close();
  await dns?.stop();
});
beforeEach(async () => {
  workspace = await app.workspace();
  app.sink.mails.length = 0;
});

async function testMail(headers: Record<string, string> = {}): Promise<ReceivedMail> {
  const body = { to_emails: ['ada@example.com'], body_html: '<p>Hi</p>' };
  const answer = await workspace.call('POST', '/v1/templates/test-send', body, headers);
  expect([answer.status, answer.body.sent_count]).toEqual([200, 1]);
  return app.sink.mails.at(-1)!;
}

test('mail of the shared domain is signed by its key, and that of the sandbox by none', async () => {
  const mail = await testMail();
  const { dkim, spf, dmarc } = await judgedBy(dns, mail, { ip: '192.0.2.1', helo: SHARED });
  expect(dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
    ['pass', SHARED],
  ]);
  expect([spf && spf.status.result, dmarc && dmarc.status.result]).toEqual(['pass', 'pass']);
  const sandboxed = await testMail({ 'x-api-key': workspace.testKey });
  expect(sandboxed.raw).not.toMatch(/^dkim-signature/im);
});

describe('the sender of a workspace', () => {
  const CHANGE = `mutation ($input: SenderInput!) {
    updateWorkspaceSender(input: $input) { sender { fromEmail fromName replyTo } } }`;
  const change = async (input: object): Promise<any> => (await workspace.graphql(CHANGE, { input })).body;

  test('is changed, and mail comes from it', async () => {
    const changed = await change({ fromEmail: 'olive@elsewhere.test', replyTo: 'help@elsewhere.test' });
    expect(changed.data.updateWorkspaceSender.sender).toEqual({
      fromEmail: 'olive@elsewhere.test',
      fromName: 'Acme',
      replyTo: 'help@elsewhere.test',
    });
    await until('mail comes from it', async () => {
      const { from, replyTo } = await MailSink.parse(await testMail());
      return from?.address === `olive@${SHARED}` && replyTo?.[0]?.address === 'help@elsewhere.test';
    });
    const { data } = await change({ fromEmail: null, fromName: null, replyTo: null });
    expect(data.updateWorkspaceSender.sender).toEqual({ fromEmail: null, fromName: null, replyTo: null });
    await until('mail comes from nobody named', async () => {
      const { from } = await MailSink.parse(await testMail());
      return from?.address === `no-reply@${SHARED}` && from.name === 'Acme Inc';
    });
  });

  test.each([
    ['fromEmail', ''],
    ['fromEmail', ' '],
    ['fromEmail', 'acme.test'],
    ['fromEmail', 'a@acme.test\r\nBcc: x@y.z'],
    ['fromEmail', 'a@acme.test, b@acme.test'],
    ['replyTo', 'x'],
    ['fromName', ' '],
    ['fromName', 'x'.repeat(256)],
  ])('%s is not %j', async (field, value) => {
    const { errors } = await change({ [field]: value });
    expect([errors[0].extensions.code, errors[0].extensions.errors[0].field]).toEqual([
      'invalid_field',
      field,
    ]);
  });

  test('is changed by owners and admins alone', async () => {
    const email = 'developer@example.com';
    const own = await app.workspace({ members: [{ email, role: 'developer' }] });
    const headers = { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': own.id };
    const variables = { input: { fromName: 'Evil' } };
    const { body } = await app.request('POST', '/graphql', { query: CHANGE, variables }, headers);
    expect(body.errors[0].extensions.reason ?? body.errors[0].extensions.code).toBe('insufficient_role');
  });
});

test('keys of domains outlive a change of ENCRYPTION_KEY, and depend on the old one no more once they are looked at', async () => {
  const [old, next] = ['1'.repeat(64), '2'.repeat(64)];
  const env = { DNS_SERVERS: dns.address, SHARED_SENDING_DOMAIN: SHARED };
  const boot = (keys: string, on?: TestApp): Promise<TestApp> =>
    bootApp({ queues: [], env: { ...env, ENCRYPTION_KEY: keys }, ...(on ? { on } : {}) });
  let service = await boot(old);
  try {
    const own = await service.workspace({ sender: { from_email: 'hello@lasting.test' } });
    const asked = async (query: string, variables: object): Promise<any> => {
      const headers = { authorization: `Bearer ${own.ownerToken}`, 'x-workspace-id': own.id };
      return (await service.request('POST', '/graphql', { query, variables }, headers)).body.data;
    };
    const { addSendingDomain: domain } = await asked(ADD, { domain: 'lasting.test' });
    setRecordsOf(dns, domain);
    await asked(CHECK, { id: domain.id });
    for (const keys of [`${old},${next}`, `${next},${old}`, next]) {
      await service.end();
      service = await boot(keys, service);
      const headers = { 'x-workspace-id': own.id, 'x-api-key': own.key };
      const body = { to_emails: ['ada@example.com'], body_html: 'x' };
      await service.request('POST', '/v1/templates/test-send', body, headers);
      const { dkim } = await judgedBy(dns, service.sink.mails.at(-1)!, { ip: '192.0.2.1', helo: SHARED });
      expect([keys, dkim.results[0]?.status.result]).toEqual([keys, 'pass']);
      await asked(CHECK, { id: domain.id });
    }
  } finally {
    await service.close();
  }
});

test('the operator looks at a domain of a workspace', async () => {
  const { body } = await workspace.graphql(ADD, { domain: 'Acme.test' });
  const added = body.data.addSendingDomain as ShownDomain;
  setRecordsOf(dns, added, ['ownership']);
  const look = ['domain:check', '--workspace', workspace.id, '--domain', 'ACME.test.'];
  expect(await cli(...look)).toMatchObject({
    workspace_id: workspace.id,
    id: added.id,
    domain: 'acme.test',
    status: 'pending',
    reason: `The TXT record of ${recordOf(added, 'dkim').host} is missing.`,
    records: expect.arrayContaining([
      expect.objectContaining({ purpose: 'ownership', is_required: true, state: 'ok' }),
    ]),
  });
  setRecordsOf(dns, added);
  expect(await cli(...look)).toMatchObject({ status: 'verified', reason: null });
  await expect(cli(...look.slice(0, -1), 'other.test')).rejects.toThrow('has no domain other.test');
  await expect(cli(...look.slice(0, 3))).rejects.toThrow('--domain is missing');
});
