/**
 * Changes that members make to their workspace over GraphQL; the audit log records who made each change, and from
 * where.
 */
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app?.close());
beforeEach(async () => {
  workspace = await app.workspace();
});

const change = (mutation: string, of = workspace): Promise<Answer> => of.graphql(`mutation { ${mutation} }`);

async function auditEntries(): Promise<any[]> {
  const { body } = await workspace.graphql(
    '{ auditLog(first: 50) { edges { node { action actor network subjectId before after } } } workspace { id } }',
  );
  return body.data.auditLog.edges.map(({ node }: { node: unknown }) => node);
}

test('a change of settings, of the sender and of the company stands in the log with what it was', async () => {
  const before = await auditEntries();
  await change('updateWorkspaceSettings(input: { timezone: "Europe/Berlin" }) { id }');
  await change('updateWorkspaceSettings(input: { timezone: null }) { id }');
  await change('updateWorkspaceSender(input: { fromName: "Ada" }) { id }');
  await change('updateCompany(input: { name: "Acme GmbH", region: null }) { id }');
  const entries = (await auditEntries()).slice(0, (await auditEntries()).length - before.length);
  expect(entries.map(({ action }) => action)).toEqual([
    'company_changed',
    'sender_changed',
    'settings_changed',
    'settings_changed',
  ]);
  const [company, sender, back, settings] = entries;
  expect(settings).toMatchObject({
    subjectId: workspace.id,
    network: '127.0.0.1',
    after: { timezone: 'Europe/Berlin' },
  });
  expect(settings.actor).toMatch(/^[0-9a-f-]{36}$/);
  expect(settings.before.timezone).toBeUndefined();
  expect(back).toMatchObject({ before: { timezone: 'Europe/Berlin' } });
  expect(back.after.timezone).toBeUndefined();
  expect(sender.after).toMatchObject({ ...sender.before, fromName: 'Ada' });
  expect(company.after).toMatchObject({ name: 'Acme GmbH' });
  expect(company.after.addressLine1).toBe(company.before.addressLine1);
});

test('the company is changed by owners and admins, line by line', async () => {
  const { body } = await change(
    'updateCompany(input: { name: "Zoë & Co", addressLine1: "1 Main St", city: "X", postalCode: "1", country: "DE" }) { company { name addressLine1 complete } }',
  );
  expect(body.data.updateCompany.company).toEqual({
    name: 'Zoë & Co',
    addressLine1: '1 Main St',
    complete: true,
  });
  const cleared = await change('updateCompany(input: { city: null }) { company { city complete } }');
  expect(cleared.body.data.updateCompany.company).toEqual({ city: null, complete: false });
  for (const value of ['" "', '"a\\nb"', JSON.stringify('x'.repeat(256))]) {
    const refused = await change(`updateCompany(input: { name: ${value} }) { id }`);
    expect(refused.body.errors[0].extensions).toMatchObject({
      code: 'invalid_field',
      errors: [{ field: 'name' }],
    });
  }
});

test('going live is refused while something is missing, which the answer names', async () => {
  workspace = await app.workspace({ live: false, account_email_verified: false, company: {} });
  const { body } = await change('goLive { live }');
  expect(body.errors[0].extensions).toMatchObject({ code: 'go_live_incomplete' });
  expect(body.errors[0].extensions.missing).toEqual(expect.arrayContaining(['account_email', 'company']));
  expect((await auditEntries()).filter(({ action }) => action === 'went_live')).toEqual([]);
});

test('going live is noted once', async () => {
  const company = { name: 'A', address_line1: '1', city: 'C', postal_code: '1', country: 'US' };
  workspace = await app.workspace({ live: false, account_email_verified: true, company });
  for (let n = 0; n < 2; n++) {
    const { body } = await change('goLive { live }');
    expect(body.data.goLive).toEqual({ live: true });
  }
  const lived = (await auditEntries()).filter(({ action }) => action === 'went_live');
  expect(lived).toEqual([
    expect.objectContaining({ before: { liveAt: null }, after: { liveAt: expect.any(String) } }),
  ]);
});

test('keys that are made and revoked are noted, and none of their secret', async () => {
  const made = await change(
    'createApiKey(input: { name: "shop", scope: data, environment: test }) { key apiKey { id } }',
  );
  const { key, apiKey } = made.body.data.createApiKey;
  for (let n = 0; n < 2; n++) await change(`revokeApiKey(id: "${apiKey.id}") { id }`);
  const entries = (await auditEntries()).filter(({ subjectId }) => subjectId === apiKey.id);
  const shown = {
    name: 'shop',
    scope: 'data',
    environment: 'test',
    hint: key.slice(-4),
    rateLimitPerMinute: null,
  };
  expect(entries).toMatchObject([
    { action: 'api_key_revoked', before: shown, after: null },
    { action: 'api_key_created', before: null, after: shown },
  ]);
  expect(JSON.stringify(entries)).not.toContain(key);
});

test('a key is replaced over GraphQL, its successor is shown once, and both stand in the log', async () => {
  const rotate = (id: string, overlap = '') =>
    change(`rotateApiKey(id: "${id}"${overlap}) { key apiKey { id name hint } replaced { id expiresAt } }`);
  const made = await change(
    'createApiKey(input: { name: "shop", scope: data, environment: live }) { apiKey { id } }',
  );
  const { id } = made.body.data.createApiKey.apiKey;
  const { body } = await rotate(id, ', overlapHours: 2');
  const { key, apiKey, replaced } = body.data.rotateApiKey;
  expect(key).toMatch(/^psk_live_[0-9a-f]{32}$/);
  expect(apiKey).toMatchObject({ name: 'shop', hint: key.slice(-4) });
  expect(replaced.id).toBe(id);
  const hours = (Date.parse(replaced.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(1.9);
  expect(hours).toBeLessThanOrEqual(2);
  expect((await rotate(id)).body.errors[0].extensions.code).toBe('conflict');
  for (const overlap of [', overlapHours: -1', ', overlapHours: 169'])
    expect((await rotate(apiKey.id, overlap)).body.errors[0].extensions).toMatchObject({
      code: 'invalid_field',
      errors: [{ field: 'overlapHours' }],
    });
  const [entry] = (await auditEntries()).filter(({ action }) => action === 'api_key_rotated');
  expect(entry).toMatchObject({
    subjectId: id,
    before: { name: 'shop' },
    after: { id: apiKey.id, hint: apiKey.hint, formerUntil: replaced.expiresAt },
  });
  expect(JSON.stringify(entry)).not.toContain(key);
  const listed = await workspace.graphql(
    '{ apiKeys(first: 10) { edges { node { id lastUsedAt expiresAt } } } }',
  );
  expect(listed.body.data.apiKeys.edges).toContainEqual({
    node: { id: apiKey.id, lastUsedAt: null, expiresAt: null },
  });
});
