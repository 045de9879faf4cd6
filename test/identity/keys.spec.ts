/**
 * The life cycle of API keys (gate S4): stored as digests that are useless to a thief, and rejected everywhere
 * after revocation.
 */
import pg from 'pg';
import { ApiKeyService } from '../../src/modules/api-keys/application/api-key.service.js';
import { KeyUses } from '../../src/modules/api-keys/application/key-uses.js';
import { OPERATOR_AUTHOR } from '../../src/kernel/principal.js';
import { planOf } from '../../src/modules/limits/domain/plan.js';
import { WorkspaceService } from '../../src/modules/workspaces/application/workspace.service.js';
import { WorkspaceRepository } from '../../src/modules/workspaces/persistence/workspace.repository.js';
import { seedFile, type SeededWorkspace } from '../../src/processes/cli/seed.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { bootProbe, type ProbeApp } from './probe-app.js';

let database: TestDatabase;
let here: ProbeApp;
let there: ProbeApp;
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  here = await bootProbe(database.adminUrl);
  there = await bootProbe(database.adminUrl, {}, here.dataDir);
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin?.end();
  await there?.close();
  await here?.close();
  await database?.drop();
});

async function workspace(name: string, plan = 'growth', more: object = {}): Promise<SeededWorkspace> {
  const { workspaces } = await seedFile({ workspaces: [{ name, plan, ...more }] }, here.app);
  return workspaces[0] as SeededWorkspace;
}

const input = { name: 'server', scope: 'data', environment: 'live', rateLimitPerMinute: null } as const;

test('a revoked key is dead in every process that knew it', async () => {
  const { id } = await workspace('Revoking');
  const keys = here.app.get(ApiKeyService);
  const { apiKey, raw } = await keys.create({ workspaceId: id }, planOf('growth'), input, OPERATOR_AUTHOR);
  const headers = { 'x-workspace-id': id, 'x-api-key': raw };
  for (const process of [here, there])
    expect((await process.ask('GET', 'contacts', headers)).status).toBe(200);
  await keys.revoke({ workspaceId: id }, apiKey.id, OPERATOR_AUTHOR);
  await until('both have heard', async () => {
    const answers = await Promise.all(
      [here, there].map((process) => process.ask('GET', 'contacts', headers)),
    );
    return answers.every(({ body }) => body['code'] === 'invalid_api_key');
  });
  // Revoking again changes nothing.
  const first = (await keys.list({ workspaceId: id }))[0]?.revokedAt;
  here.clock.wind(1_000);
  expect((await keys.revoke({ workspaceId: id }, apiKey.id, OPERATOR_AUTHOR)).revokedAt).toEqual(first);
});

test('a change of the plan is known to every process that knew the key', async () => {
  const seeded = await workspace('Upgrading', 'free', { api_keys: [{ name: 'k' }] });
  const headers = { 'x-workspace-id': seeded.id, 'x-api-key': seeded.api_keys?.[0]?.key ?? '' };
  expect((await there.ask('GET', 'me', headers)).body['plan']).toBe('free');
  await admin.query(`UPDATE workspaces SET plan = 'starter' WHERE id = $1`, [seeded.id]);
  await until(
    'the plan is known',
    async () => (await there.ask('GET', 'me', headers)).body['plan'] === 'starter',
  );
});

test('the database holds nothing that opens anything', async () => {
  const seeded = await workspace('Stolen', 'growth', { api_keys: [{ name: 'k' }] });
  const raw = seeded.api_keys?.[0]?.key ?? '';
  expect(raw).toMatch(/^psk_live_[0-9a-f]{32}$/);
  const { rows } = await admin.query<Record<string, unknown>>(
    'SELECT * FROM api_keys WHERE workspace_id = $1',
    [seeded.id],
  );
  const dump = JSON.stringify(rows);
  expect(dump).not.toContain(raw);
  expect(dump).not.toContain(raw.slice(-32));
  const digest = String(rows[0]?.['key_hash']);
  expect((await here.ask('GET', 'me', { 'x-workspace-id': seeded.id, 'x-api-key': digest })).status).toBe(
    401,
  );
  // Another installation with another secret does not accept the key either.
  const otherInstallation = await bootProbe(database.adminUrl, {
    TOKEN_SECRET: 'another secret of at least 32 characters',
  });
  try {
    const answer = await otherInstallation.ask('GET', 'me', {
      'x-workspace-id': seeded.id,
      'x-api-key': raw,
    });
    expect(answer.body['code']).toBe('invalid_api_key');
  } finally {
    await otherInstallation.close();
  }
});

test("the plan's number of keys holds under a rush, and revoked ones do not count", async () => {
  const { id } = await workspace('Rushing', 'free');
  const keys = here.app.get(ApiKeyService);
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, () => keys.create({ workspaceId: id }, planOf('free'), input, OPERATOR_AUTHOR)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const refusal = tries.find((one): one is PromiseRejectedResult => one.status === 'rejected')
    ?.reason as unknown;
  expect(refusal).toMatchObject({
    code: 'plan_limit_reached',
    fields: { limit_type: 'api_keys', current: 2, maximum: 2, plan: 'free' },
  });
  const [one] = await keys.list({ workspaceId: id });
  await keys.revoke({ workspaceId: id }, one?.id ?? '', OPERATOR_AUTHOR);
  await expect(
    keys.create({ workspaceId: id }, planOf('free'), input, OPERATOR_AUTHOR),
  ).resolves.toBeDefined();
});

test('a key that is replaced goes on until its end, beside its successor', async () => {
  const { id } = await workspace('Rotating', 'free');
  const scope = { workspaceId: id };
  const keys = here.app.get(ApiKeyService);
  const old = await keys.create(scope, planOf('free'), { ...input, rateLimitPerMinute: 7 }, OPERATOR_AUTHOR);
  await keys.create(scope, planOf('free'), input, OPERATOR_AUTHOR);
  const before = Date.now();
  // Rotation works at the plan's maximum number of keys.
  const { apiKey, raw, replaced } = await keys.rotate(scope, old.apiKey.id, 24, OPERATOR_AUTHOR);
  expect(apiKey).toMatchObject({ name: 'server', scope: 'data', rateLimitPerMinute: 7, expiresAt: null });
  expect(replaced.expiresAt?.getTime()).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
  const asks = (key: string) => there.ask('GET', 'contacts', { 'x-workspace-id': id, 'x-api-key': key });
  for (const key of [old.raw, raw]) expect((await asks(key)).status).toBe(200);
  await expect(keys.rotate(scope, old.apiKey.id, 24, OPERATOR_AUTHOR)).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(keys.create(scope, planOf('free'), input, OPERATOR_AUTHOR)).rejects.toMatchObject({
    code: 'plan_limit_reached',
  });
  await admin.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [old.apiKey.id]);
  await until('its end is known', async () => (await asks(old.raw)).body['code'] === 'invalid_api_key');
  expect((await asks(raw)).status).toBe(200);
});

test('a key that is replaced without overlap is dead at once; one of many at the same time replaces it', async () => {
  const { id } = await workspace('Leaked');
  const scope = { workspaceId: id };
  const keys = here.app.get(ApiKeyService);
  const { apiKey, raw } = await keys.create(scope, planOf('growth'), input, OPERATOR_AUTHOR);
  const headers = { 'x-workspace-id': id, 'x-api-key': raw };
  expect((await there.ask('GET', 'contacts', headers)).status).toBe(200);
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, () => keys.rotate(scope, apiKey.id, 0, OPERATOR_AUTHOR)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await keys.list(scope)).toHaveLength(2);
  await until('it is dead', async () => (await there.ask('GET', 'contacts', headers)).status === 401);
});

test('neither a revoked key nor that of another workspace is replaced', async () => {
  const [one, two] = [await workspace('First'), await workspace('Second')];
  const keys = here.app.get(ApiKeyService);
  const { apiKey } = await keys.create({ workspaceId: one.id }, planOf('growth'), input, OPERATOR_AUTHOR);
  await expect(keys.rotate({ workspaceId: two.id }, apiKey.id, 0, OPERATOR_AUTHOR)).rejects.toMatchObject({
    code: 'not_found',
  });
  await keys.revoke({ workspaceId: one.id }, apiKey.id, OPERATOR_AUTHOR);
  await expect(keys.rotate({ workspaceId: one.id }, apiKey.id, 0, OPERATOR_AUTHOR)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('when a key was used last is known, and storing it has nobody forget the key', async () => {
  const { id } = await workspace('Used');
  const keys = here.app.get(ApiKeyService);
  const made = await Promise.all(
    ['a', 'b'].map((name) =>
      keys.create({ workspaceId: id }, planOf('growth'), { ...input, name }, OPERATOR_AUTHOR),
    ),
  );
  const [used] = made.sort((a, b) => (a.apiKey.id < b.apiKey.id ? -1 : 1));
  const ask = () => here.ask('GET', 'contacts', { 'x-workspace-id': id, 'x-api-key': used?.raw ?? '' });
  const lastUses = async () => {
    await here.app.get(KeyUses).store();
    const { items } = await keys.page({ workspaceId: id }, { first: 5, after: null });
    return items.map(({ lastUsedAt }) => lastUsedAt);
  };
  expect(await lastUses()).toEqual([null, null]);
  await ask();
  const at = here.clock.now();
  expect(await lastUses()).toEqual([at, null]);
  // Once within five minutes.
  here.clock.wind(1_000);
  await ask();
  expect(await lastUses()).toEqual([at, null]);
});

test.each([
  [{ ...input, name: ' ' }, 'name'],
  [{ ...input, name: 'a\0b' }, 'name'],
  [{ ...input, rateLimitPerMinute: 0 }, 'rate_limit_per_minute'],
  [{ ...input, rateLimitPerMinute: 50_001 }, 'rate_limit_per_minute'],
])('a key of %p is refused', async (bad, field) => {
  const { id } = await workspace('Refusing');
  const made = here.app
    .get(ApiKeyService)
    .create({ workspaceId: id }, planOf('growth'), bad, OPERATOR_AUTHOR);
  await expect(made).rejects.toMatchObject({ code: 'invalid_field', fields: { errors: [{ field }] } });
});

test('an unknown key cannot be revoked, nor that of another workspace', async () => {
  const [one, two] = [await workspace('One'), await workspace('Two')];
  const keys = here.app.get(ApiKeyService);
  const { apiKey } = await keys.create({ workspaceId: one.id }, planOf('growth'), input, OPERATOR_AUTHOR);
  for (const id of [apiKey.id, 'nonsense'])
    await expect(keys.revoke({ workspaceId: two.id }, id, OPERATOR_AUTHOR)).rejects.toMatchObject({
      code: 'not_found',
    });
});

test('a workspace that has gone live is live in every process, once', async () => {
  const { id } = await workspace('Ready', 'free', { live: false });
  const elsewhere = there.app.get(WorkspaceService);
  expect((await elsewhere.get({ workspaceId: id })).liveAt).toBeNull();
  const goLive = () =>
    here.app.get(WorkspaceRepository, { strict: false }).goLive(
      { workspaceId: id },
      here.clock.now(),
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
  const liveAt = here.clock.now();
  expect(await goLive()).toMatchObject({ liveAt });
  await until('it is known', async () => (await elsewhere.get({ workspaceId: id })).liveAt !== null);
  here.clock.wind(60_000);
  expect(await goLive()).toMatchObject({ liveAt });
});
