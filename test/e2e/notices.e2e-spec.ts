/**
 * Email from the product itself: invitations are sent in every state of the workspace, once each, until they expire,
 * and within limits.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const MEMBERS = '/v1/workspace/members';
const RESEND = 'mutation ($memberId: ID!) { resendInvitation(memberId: $memberId) { id email isActive } }';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let serial = 0;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});
beforeEach(async () => {
  app.sink.verdict = () => undefined;
  workspace = await app.workspace();
});

const byOwner = (method: string, path: string, body?: unknown): Promise<Answer> =>
  app.request(method, path, body, {
    authorization: `Bearer ${workspace.ownerToken}`,
    'x-workspace-id': workspace.id,
  });
const newEmail = (): string => `invitee${++serial}@example.com`;
const invite = (email: string, role = 'developer'): Promise<Answer> =>
  byOwner('POST', `${MEMBERS}/invite`, { email, role });
async function invited(email = newEmail()): Promise<any> {
  const { status, body } = await invite(email);
  expect(status).toBe(201);
  return body;
}

interface Row {
  readonly status: string;
  readonly code: string | null;
  readonly attempts: number;
  readonly reissues: number;
  readonly isEmpty: boolean;
}
async function rows(email: string): Promise<Row[]> {
  const found = await admin.query<Row>(
    `SELECT status, error_code AS code, attempts, reissues, content IS NULL AS "isEmpty" FROM notices
     WHERE workspace_id = $1 AND to_email = $2 ORDER BY created_at, id`,
    [workspace.id, email],
  );
  return found.rows;
}
const settled = (email: string, ...statuses: string[]): Promise<void> =>
  until(
    `mails to ${email} are ${statuses.join(', ')}`,
    async () => (await rows(email)).map(({ status }) => status).join() === statuses.join(),
    () => rows(email),
  );
const rename = (table: string, name: string): Promise<unknown> =>
  admin.query(`UPDATE ${table} SET name = $2 WHERE ${table === 'members' ? 'workspace_id' : 'id'} = $1`, [
    workspace.id,
    name,
  ]);

test('an invitation arrives, in plain words, and says how it is accepted', async () => {
  await rename('workspaces', 'Acme');
  await rename('members', 'Olive');
  const member = await invited();
  await settled(member.email, 'sent');
  const [mail, ...others] = app.sink.to(member.email) as [ReceivedMail, ...ReceivedMail[]];
  expect(others).toEqual([]);
  const { subject, from, headers, html, text } = await MailSink.parse(mail);
  expect([subject, from, mail.from]).toEqual([
    'Olive invites you to Acme on Waypost',
    { name: 'Waypost', address: 'no-reply@mail.localhost' },
    'no-reply@mail.localhost',
  ]);
  const field = (key: string): string | undefined => headers.find((one) => one.key === key)?.value;
  expect(field('auto-submitted')).toBe('auto-generated');
  expect(field('list-unsubscribe')).toBeUndefined();
  const link = `${app.config.baseUrl}/invitations/${member.id}`;
  for (const part of [html, text]) {
    expect(part).toContain(link);
    expect(part).toContain(member.email);
    expect(part).toMatch(/Olive \(owner\d+@example\.com\) has invited you to the workspace Acme/);
    expect(part).toContain('You will join as a developer');
    expect(part).toContain('If you did not expect this invitation');
  }
  expect(html).not.toMatch(/<img|src=|http:\/\/(?!127)/);
  // It does not count as a message of the tenant, and its content is not retained.
  const { rows: counted } = await admin.query(
    `SELECT (SELECT count(*)::int FROM email_logs WHERE workspace_id = $1) AS logs,
       (SELECT count(*)::int FROM monthly_emails WHERE workspace_id = $1) AS months`,
    [workspace.id],
  );
  expect(counted).toEqual([{ logs: 0, months: 0 }]);
  expect(await rows(member.email)).toMatchObject([{ attempts: 1, isEmpty: true, code: null }]);
});

test('its link leads to a page that says how, is the same for every id, and changes nothing', async () => {
  const member = await invited();
  const page = await app.request('GET', `/invitations/${member.id}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.body).toContain(`/v1/workspace/members/invitations/${member.id}/accept`);
  const unknownId = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
  const other = await app.request('GET', `/invitations/${unknownId}`);
  expect([other.status, other.body]).toEqual([200, (page.body as string).replace(member.id, unknownId)]);
  expect((await app.request('GET', '/invitations/"><script>')).status).toBe(404);
  expect((await byOwner('GET', `${MEMBERS}?include_inactive=false`)).body.total).toBe(1);
});

test('names that are meant to mislead come as text, on one line, and as no link', async () => {
  await rename('workspaces', 'Win at https://evil.example/prize <a href="https://evil.example">now</a>');
  await rename('members', `Bank\r\nBcc: victim@example.com\u202e${'<b>x</b>😀'.repeat(25)}`);
  const member = await invited();
  await settled(member.email, 'sent');
  const [mail] = app.sink.to(member.email) as [ReceivedMail];
  const { subject, html = '', text = '', headers } = await MailSink.parse(mail);
  expect(mail.to).toEqual([member.email]);
  expect(headers.map(({ key }) => key)).not.toContain('bcc');
  expect(subject).toMatch(/^Bank Bcc: victim at example\. com /);
  expect(subject?.length).toBeLessThan(200);
  expect(html).not.toMatch(/<b>|href="https:\/\/evil/);
  for (const part of [html, text]) {
    expect(part).not.toMatch(/evil\.example|victim@|\u202e/);
    expect(part).toContain('evil. example');
  }
});

test('it goes although the workspace is not live, suspended, and has used up its emails', async () => {
  workspace = await app.workspace({ plan: 'starter', live: false });
  await admin.query(
    `INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, 'live', $2, 10000)`,
    [workspace.id, `${app.clock.now().toISOString().slice(0, 7)}-01`],
  );
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const member = await invited();
  await until('it was tried', async () => (await rows(member.email))[0]?.code === 'temporary');
  await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
  app.sink.verdict = () => undefined;
  app.clock.wind(HOUR);
  await settled(member.email, 'sent');
});

test('what is refused for now is tried again under its Message-ID, and not for ever', async () => {
  const seen: ReceivedMail[] = [];
  app.sink.verdict = (mail) => {
    seen.push(mail);
    return { code: 451, text: '4.3.0 later' };
  };
  const member = await invited();
  for (let tries = 1; (await rows(member.email))[0]?.status !== 'failed'; tries++) {
    expect(tries).toBeLessThan(10);
    await until(
      'it was tried once more',
      async () =>
        ((await rows(member.email))[0]?.attempts ?? 0) >= tries &&
        (await rows(member.email))[0]?.status !== 'sending',
    );
    app.clock.wind(6 * HOUR);
  }
  expect((await rows(member.email))[0]).toMatchObject({ code: 'gave_up', isEmpty: true });
  const own = seen.filter(({ to }) => to.includes(member.email)).map(({ messageId }) => messageId);
  expect([own.length > 4, new Set(own).size]).toEqual([true, 1]);
});

test('what is refused for good has failed at once', async () => {
  app.sink.verdict = () => ({ code: 550, text: '5.1.1 no such user' });
  const member = await invited();
  await settled(member.email, 'failed');
  expect((await rows(member.email))[0]).toMatchObject({ code: 'rejected', attempts: 1 });
});

test('a mail whose process died goes again, and fails once it has outlived too many', async () => {
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const [one, other] = [await invited(), await invited()];
  for (const { email } of [one, other])
    await until('it was tried', async () => (await rows(email))[0]?.code === 'temporary');
  app.sink.verdict = () => undefined;
  // The state that a process leaves if it dies while sending: no live process has its number.
  await admin.query(
    `UPDATE notices SET status = 'sending', sender = 1, reissues = CASE to_email WHEN $2 THEN 5 ELSE 0 END
     WHERE workspace_id = $1`,
    [workspace.id, other.email],
  );
  app.clock.wind(HOUR);
  await settled(one.email, 'sent');
  await settled(other.email, 'failed');
  expect((await rows(one.email))[0]).toMatchObject({ reissues: 1 });
  expect((await rows(other.email))[0]).toMatchObject({ code: 'unknown_fate' });
  expect(app.sink.to(other.email)).toEqual([]);
});

test('several processes send each mail once', async () => {
  const second = await bootApp({ on: app, queues: ['notices'] });
  try {
    const emails = Array.from({ length: 40 }, newEmail);
    const answers = await Promise.all(emails.map((email) => invite(email)));
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 201));
    await Promise.all(emails.map((email) => settled(email, 'sent')));
    expect(emails.map((email) => app.sink.to(email).length)).toEqual(emails.map(() => 1));
  } finally {
    await second.end();
  }
});

test('one that is taken back, or accepted, before it went does not go any more', async () => {
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const [revoked, accepted] = [await invited(), await invited()];
  for (const { email } of [revoked, accepted])
    await until('it was tried', async () => (await rows(email))[0]?.code === 'temporary');
  expect((await byOwner('DELETE', `${MEMBERS}/${revoked.id}`)).status).toBe(204);
  const authorization = `Bearer ${await app.token(accepted.email)}`;
  const path = `${MEMBERS}/invitations/${accepted.id}/accept`;
  expect((await app.request('POST', path, undefined, { authorization })).status).toBe(200);
  for (const { email } of [revoked, accepted])
    expect(await rows(email)).toMatchObject([{ status: 'withdrawn', isEmpty: true }]);
});

describe('an invitation is sent again', () => {
  const resend = (memberId: string): Promise<Answer> => workspace.graphql(RESEND, { memberId });
  const refusal = ({ body }: Answer): unknown => body.errors?.[0]?.extensions?.code;

  test('when somebody asks, not right after the other, and five times a day at most', async () => {
    const member = await invited();
    await settled(member.email, 'sent');
    const early = await resend(member.id);
    expect(early.body.errors[0].extensions).toMatchObject({ code: 'rate_limit_exceeded', retry_after: 600 });
    for (let times = 2; times <= 5; times++) {
      app.clock.wind(600_000);
      expect((await resend(member.id)).body).toEqual({
        data: { resendInvitation: { id: member.id, email: member.email, isActive: false } },
      });
      await settled(member.email, ...Array<string>(times).fill('sent'));
    }
    app.clock.wind(600_000);
    expect(refusal(await resend(member.id))).toBe('rate_limit_exceeded');
    app.clock.wind(DAY);
    expect(refusal(await resend(member.id))).toBeUndefined();
    const { body } = await workspace.graphql(
      '{ auditLog(first: 1) { edges { node { action subjectId } } } }',
    );
    expect(body.data.auditLog.edges[0].node).toEqual({ action: 'invitation_resent', subjectId: member.id });
  });

  test('once, however many ask at the same time', async () => {
    const member = await invited();
    app.clock.wind(600_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(member.id)));
    expect(answers.filter((answer) => refusal(answer) === undefined)).toHaveLength(1);
    await settled(member.email, 'sent', 'sent');
  });

  test('while it is pending, by those who may invite', async () => {
    const member = await invited();
    const authorization = `Bearer ${await app.token(member.email)}`;
    await app.request('POST', `${MEMBERS}/invitations/${member.id}/accept`, undefined, { authorization });
    expect(refusal(await resend(member.id))).toBe('conflict');
    for (const id of ['nonsense', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea'])
      expect(refusal(await resend(id))).toBe('member_not_found');
    const asked = { query: RESEND, variables: { memberId: member.id } };
    const headers = { authorization, 'x-workspace-id': workspace.id };
    expect(refusal(await app.request('POST', '/graphql', asked, headers))).toBe('missing_permission');
  });

  test('after it was taken back, too, but later', async () => {
    const member = await invited();
    await settled(member.email, 'sent');
    await byOwner('DELETE', `${MEMBERS}/${member.id}`);
    await invited(member.email);
    expect(await rows(member.email)).toMatchObject([{ status: 'sent' }, { status: 'queued', attempts: 0 }]);
    app.clock.wind(600_000);
    await settled(member.email, 'sent', 'sent');
  });
});

test('a workspace invites a hundred a day, also at once, and then no more until the first is a day old', async () => {
  // As many concurrent requests as connections, so that none waits too long on a busy machine.
  const answers: Answer[] = [];
  for (let wave = 0; wave < 14; wave++)
    answers.push(...(await Promise.all(Array.from({ length: 8 }, () => invite(newEmail())))));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(answers.length - refused.length).toBe(100);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    refused.map(() => [429, 'rate_limit_exceeded']),
  );
  expect(Number(refused[0]?.headers.get('retry-after'))).toBe(DAY / 1_000);
  // If the email is refused, the member is not invited either.
  expect((await byOwner('GET', MEMBERS)).body.total).toBe(101);
  app.clock.wind(DAY);
  await invited();
});

test('what cannot be made is set aside, keeps nobody up, and is put back by a person', async () => {
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  const [broken, whole] = [await invited(), await invited()];
  for (const { email } of [broken, whole])
    await until('it was tried', async () => (await rows(email))[0]?.code === 'temporary');
  app.sink.verdict = () => undefined;
  await admin.query(
    `UPDATE notices SET content = content - 'workspace' WHERE workspace_id = $1 AND to_email = $2`,
    [workspace.id, broken.email],
  );
  app.clock.wind(HOUR);
  await settled(whole.email, 'sent');
  await settled(broken.email, 'set_aside');
  const listed = await workspace.graphql('{ setAsideWork { edges { node { id kind reason } } } }');
  const [{ node }] = listed.body.data.setAsideWork.edges;
  expect(node).toMatchObject({ kind: 'notice' });
  await admin.query(
    `UPDATE notices SET content = content || '{"workspace": "Acme"}' WHERE workspace_id = $1 AND to_email = $2`,
    [workspace.id, broken.email],
  );
  await workspace.graphql('mutation ($id: ID!) { retrySetAsideWork(id: $id) { isPutBack } }', {
    id: node.id,
  });
  await settled(broken.email, 'sent');
});

test('its row is swept after its time', async () => {
  const member = await invited();
  await settled(member.email, 'sent');
  app.clock.wind(39 * DAY);
  expect(await rows(member.email)).toHaveLength(1);
  app.clock.wind(2 * DAY);
  await until('the row is gone', async () => (await rows(member.email)).length === 0);
});
