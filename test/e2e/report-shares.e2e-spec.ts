/** Links of reports, sections 3.4 and 4.4: creating and revoking them, and what a token opens. */
import { createHash } from 'node:crypto';
import type { DomainError } from '../../src/kernel/domain-error.js';
import { ReportShares } from '../../src/modules/reports/application/report-shares.service.js';
import { hashOfToken } from '../../src/modules/reports/domain/share-link.js';
import { Database } from '../../src/platform/database/database.js';
import { DAY } from '../support/clock.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { reportsFixture, type Who } from '../support/reports-fixture.js';

const fixture = reportsFixture({ queues: [] });
const { call, report, graphql } = fixture;

const later = (days: number): string =>
  new Date(fixture.app.clock.now().getTime() + days * DAY).toISOString();
const share = async (id: string, body?: unknown, who: Who = 'owner', headers = {}): Promise<any> => {
  const { status, body: link } = await call(who, 'POST', `/${id}/share`, body, headers);
  expect([status, link.detail]).toEqual([201, undefined]);
  return link;
};
/** What a token opens, or the error code if it opens nothing. */
const open = async (token: string): Promise<string> => {
  const shares = fixture.app.app.get(ReportShares, { strict: false });
  return shares.find(token).then(
    ({ scope, report: { id } }) => `${id} ${scope.workspaceId} ${scope.environment}`,
    (error: DomainError) => `${error.status} ${error.code}`,
  );
};

test('a link is shown once, with its token, and is good for seven days', async () => {
  const { id } = await report('owner');
  const link = await share(id, {});
  expect(link).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    url: `${fixture.app.config.baseUrl}/v1/reports/shared/${link.token}`,
    expires_at: later(7),
    created_at: later(0),
  });
  expect(Buffer.from(link.token, 'base64url')).toHaveLength(32);
  const { body } = await call('owner', 'GET', `/${id}`);
  expect(body.share).toEqual({ expires_at: link.expires_at, created_at: link.created_at });
  expect(await open(link.token)).toBe(`${id} ${fixture.id} live`);
});

test.each([1, 7, 90])('it can be good for %d days', async (days) => {
  const { id } = await report('owner');
  expect((await share(id, { expires_in_days: days })).expires_at).toBe(later(days));
});

test('nothing said is as much as nothing wanted', async () => {
  const { id } = await report('owner');
  expect((await share(id)).expires_at).toBe(later(7));
});

test.each([
  [{ expires_in_days: 0 }, 'expires_in_days'],
  [{ expires_in_days: 91 }, 'expires_in_days'],
  [{ expires_in_days: 1.5 }, 'expires_in_days'],
  [{ expires_in_days: '7' }, 'expires_in_days'],
  [{ password: 'x' }, 'password'],
])('%j is refused with 422', async (body, field) => {
  const { id } = await report('owner');
  const answer = await call('owner', 'POST', `/${id}/share`, body);
  expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
    422,
    'invalid_field',
    field,
  ]);
  expect((await call('owner', 'GET', `/${id}`)).body.share).toBeNull();
});

test('only the hash of a token is stored', async () => {
  const { id } = await report('owner');
  const { token } = await share(id);
  const { rows } = await fixture.admin.query('SELECT * FROM report_shares WHERE report_id = $1', [id]);
  expect(rows).toHaveLength(1);
  expect(rows[0].token_hash).toBe(createHash('sha256').update(token).digest('hex'));
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a new link takes the place of the old one, and no two are alike', async () => {
  const { id } = await report('owner');
  const old = await share(id, { expires_in_days: 90 });
  fixture.app.clock.wind(1_000);
  const next = await share(id, { expires_in_days: 1 });
  expect(next.token).not.toBe(old.token);
  expect(await open(old.token)).toBe('404 share_link_not_found');
  expect(await open(next.token)).toBe(`${id} ${fixture.id} live`);
  expect((await call('owner', 'GET', `/${id}`)).body.share).toEqual({
    ...{ expires_at: next.expires_at, created_at: next.created_at },
  });
});

test('links that are made at the same time leave one', async () => {
  const { id } = await report('owner');
  const links = await Promise.all([1, 2, 3, 4].map(() => share(id)));
  const opened = await Promise.all(links.map(({ token }) => open(token)));
  expect(opened.filter((what) => what.startsWith(id))).toHaveLength(1);
});

test('a link shows data of the environment in which it was made, and the next one of its own', async () => {
  const { id } = await report('owner', { visibility: 'workspace' });
  const live = await share(id);
  expect(await open(live.token)).toBe(`${id} ${fixture.id} live`);
  const inTest = await share(id, {}, 'owner', { 'x-environment': 'test' });
  expect(await open(inTest.token)).toBe(`${id} ${fixture.id} test`);
});

test('it opens until its last moment, and is 410 from there on, until it is revoked', async () => {
  const { id } = await report('owner');
  const { token } = await share(id, { expires_in_days: 1 });
  fixture.app.clock.wind(DAY - 1);
  expect(await open(token)).toBe(`${id} ${fixture.id} live`);
  fixture.app.clock.wind(1);
  expect(await open(token)).toBe('410 share_link_expired');
  expect((await call('owner', 'GET', `/${id}`)).body.share).not.toBeNull();
  expect((await call('owner', 'DELETE', `/${id}/share`)).status).toBe(204);
  expect(await open(token)).toBe('404 share_link_not_found');
});

test('a link that is revoked opens nothing, and there is none to revoke then', async () => {
  const { id } = await report('owner');
  const { token } = await share(id);
  const revoking = await call('owner', 'DELETE', `/${id}/share`);
  expect([revoking.status, revoking.body]).toEqual([204, '']);
  expect(await open(token)).toBe('404 share_link_not_found');
  const again = await call('owner', 'DELETE', `/${id}/share`);
  expect([again.status, again.body.code]).toEqual([404, 'share_link_not_found']);
  expect((await call('owner', 'GET', `/${id}`)).body.share).toBeNull();
});

test('with its report a link is gone; a report that is made private keeps it', async () => {
  const { id } = await report('owner', { visibility: 'workspace' });
  const { token } = await share(id);
  await call('owner', 'PUT', `/${id}`, { visibility: 'private' });
  expect(await open(token)).toBe(`${id} ${fixture.id} live`);
  await call('owner', 'DELETE', `/${id}`);
  expect(await open(token)).toBe('404 share_link_not_found');
});

test.each([
  ['nothing', ''],
  ['a word', 'welcome'],
  ['what nobody was given', 'A'.repeat(43)],
  ['a letter more', `${'A'.repeat(43)}A`],
  ['a token with bits that say nothing', `${'A'.repeat(42)}B`],
  ['an id', UNKNOWN_ID],
  ['SQL', "' OR token_hash <> '"],
  ['what no text of PostgreSQL holds', '\u0000'.repeat(43)],
])('%s is no token: 404', async (_what, token) => {
  await share((await report('owner')).id);
  expect(await open(token)).toBe('404 share_link_not_found');
});

test('one bit beside is another token', async () => {
  const { token } = await share((await report('owner')).id);
  const bytes = Buffer.from(token, 'base64url');
  for (const index of [0, 13, 31]) {
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(index) ^ 1, index);
    expect(await open(other.toString('base64url'))).toBe('404 share_link_not_found');
  }
  expect(await open(token)).toContain(fixture.id);
});

test('whoever shows a token is let see its link and no other, and nothing else of the workspace', async () => {
  const { token } = await share((await report('owner')).id);
  await share((await report('owner')).id);
  const database = fixture.app.app.get(Database, { strict: false });
  const seen = await database.withProof({ shareHash: hashOfToken(token) }, async (tx) => {
    const [links] = await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM report_shares');
    const [reports] = await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM reports');
    return [links?.n, reports?.n];
  });
  expect(seen).toEqual([1, 0]);
});

test('GraphQL makes and revokes what REST does', async () => {
  const { id } = await report('owner');
  const made = await graphql(
    'owner',
    `mutation { shareReport(id: "${id}") { token url expiresAt createdAt } }`,
  );
  const { token, ...link } = made.data.shareReport;
  expect(link).toEqual({
    url: `${fixture.app.config.baseUrl}/v1/reports/shared/${token}`,
    ...{ expiresAt: later(7), createdAt: later(0) },
  });
  expect(await open(token)).toBe(`${id} ${fixture.id} live`);
  const wrong = await graphql(
    'owner',
    `mutation { shareReport(id: "${id}", input: { expiresInDays: 91 }) { token } }`,
  );
  expect(wrong.errors[0].extensions.errors[0].field).toBe('expiresInDays');
  const revoke = `mutation { revokeReportShare(id: "${id}") }`;
  expect((await graphql('owner', revoke)).data.revokeReportShare).toBe(id);
  expect(await open(token)).toBe('404 share_link_not_found');
  expect((await graphql('owner', revoke)).errors[0].extensions.code).toBe('share_link_not_found');
});
