/** Dashboard tokens against a published key set (gate S3): valid tokens, and every known way to forge one. */
import { createHmac } from 'node:crypto';
import { seedFile, type SeededWorkspace } from '../../src/processes/cli/seed.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  at,
  AUDIENCE,
  ISSUER,
  KeySetServer,
  providerKey,
  type ProviderKey,
  sign,
} from '../support/key-set-server.js';
import { bootProbe, type ProbeApp } from './probe-app.js';

const CLAIMS = { email: 'owner@acme.test' };

let database: TestDatabase;
let provider: KeySetServer;
let probe: ProbeApp;
let acme: SeededWorkspace;
let good: ProviderKey;
let rsa: ProviderKey;

beforeAll(async () => {
  database = await createTestDatabase();
  provider = await new KeySetServer().start();
  [good, rsa] = await Promise.all([providerKey('good'), providerKey('rsa', 'RS256')]);
  provider.keys = [good, rsa];
  probe = await bootProbe(database.adminUrl, {
    AUTH_JWKS_URL: provider.url,
    AUTH_ISSUER: ISSUER,
    AUTH_AUDIENCE: AUDIENCE,
  });
  const { workspaces } = await seedFile(
    {
      workspaces: [
        {
          name: 'Acme',
          plan: 'enterprise',
          members: [
            { email: 'owner@acme.test', role: 'owner' },
            { email: 'v@acme.test', role: 'viewer' },
          ],
        },
      ],
    },
    probe.app,
  );
  acme = workspaces[0] as SeededWorkspace;
});

afterAll(async () => {
  await probe?.close();
  await provider?.stop();
  await database?.drop();
});

async function ask(token: string): Promise<[number, unknown]> {
  const { status, body } = await probe.ask('GET', 'me', {
    authorization: `Bearer ${token}`,
    'x-workspace-id': acme.id,
  });
  return [status, body['code'] ?? body['role']];
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const payload = (): object => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'person-1',
  exp: at(600),
  email_verified: true,
  ...CLAIMS,
});

/** A token signed with HMAC, with the provider's public key as the secret. */
function confused(secret: string, kid: string): string {
  const text = `${base64({ alg: 'HS256', typ: 'JWT', kid })}.${base64(payload())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('a good token', () => {
  test('names its person', async () => {
    expect(await ask(await sign(good, CLAIMS))).toEqual([200, 'owner']);
  });

  test.each<[string, () => Promise<string>]>([
    ['expired within the leeway', () => sign(good, { ...CLAIMS, exp: at(-20) })],
    ['valid in a moment, within the leeway', () => sign(good, { ...CLAIMS, nbf: at(20) })],
    ['for several audiences', () => sign(good, { ...CLAIMS, aud: ['another', AUDIENCE] })],
  ])('%s', async (_name, token) => expect(await ask(await token())).toEqual([200, 'owner']));

  test('goes by its subject once it is linked, whatever its email says', async () => {
    expect(await ask(await sign(good, { email: 'changed@acme.test', email_verified: false }))).toEqual([
      200,
      'owner',
    ]);
  });
});

describe('an email that is not verified', () => {
  test.each<[string, object]>([
    ['false', { email_verified: false }],
    ['absent', { email_verified: undefined }],
    ['a text', { email_verified: 'true' }],
  ])('matches nobody: %s', async (_name, claims) => {
    const token = await sign(good, { sub: 'person-2', email: 'v@acme.test', ...claims });
    expect(await ask(token)).toEqual([403, 'workspace_mismatch']);
  });

  test('another subject with the same verified email is somebody else', async () => {
    expect(await ask(await sign(good, { sub: 'impostor', ...CLAIMS }))).toEqual([403, 'workspace_mismatch']);
  });
});

describe('a bad token is 401', () => {
  test.each<[string, () => Promise<string>, string]>([
    ['expired', () => sign(good, { ...CLAIMS, exp: at(-31) }), 'token_expired'],
    ['never expiring', () => sign(good, { ...CLAIMS, exp: undefined as never }), 'invalid_token'],
    ['not valid yet', () => sign(good, { ...CLAIMS, nbf: at(60) }), 'invalid_token'],
    ['of another issuer', () => sign(good, { ...CLAIMS, iss: 'https://evil.example' }), 'invalid_token'],
    ['without issuer', () => sign(good, { ...CLAIMS, iss: undefined as never }), 'invalid_token'],
    ['for another audience', () => sign(good, { ...CLAIMS, aud: 'another' }), 'invalid_token'],
    ['without audience', () => sign(good, { ...CLAIMS, aud: undefined as never }), 'invalid_token'],
    ['without subject', () => sign(good, { ...CLAIMS, sub: undefined as never }), 'invalid_token'],
    [
      'not signed (alg none)',
      async () => `${base64({ alg: 'none', kid: 'good' })}.${base64(payload())}.`,
      'invalid_token',
    ],
    [
      'HS256 with the public key as JWK',
      async () => confused(JSON.stringify(good.publicJwk), 'good'),
      'invalid_token',
    ],
    [
      'HS256 with the public coordinate',
      async () => confused(String(good.publicJwk.x), 'good'),
      'invalid_token',
    ],
    ['RS256, although the set has the key', () => sign(rsa, CLAIMS), 'invalid_token'],
    ['ES256 in name, naming the RSA key', () => sign(good, CLAIMS, { kid: 'rsa' }), 'invalid_token'],
    [
      'signed by a stranger under a known key id',
      async () => sign(await providerKey('good'), CLAIMS),
      'invalid_token',
    ],
    [
      'bringing its own key',
      async () => {
        const own = await providerKey('own');
        return sign(own, CLAIMS, { jwk: own.publicJwk, kid: 'good' });
      },
      'invalid_token',
    ],
    [
      'changed after signing',
      async () => {
        const [header, , signature] = (await sign(good, CLAIMS)).split('.');
        return `${header}.${base64({ ...payload(), sub: 'person-9' })}.${signature}`;
      },
      'invalid_token',
    ],
    ['cut short', async () => (await sign(good, CLAIMS)).slice(0, -8), 'invalid_token'],
    [
      'of two parts',
      async () => (await sign(good, CLAIMS)).split('.').slice(0, 2).join('.'),
      'invalid_token',
    ],
  ])('%s', async (_name, token, code) => expect(await ask(await token())).toEqual([401, code]));
});

describe('the key set', () => {
  test('is fetched once for many, and rotated keys are found', async () => {
    const before = provider.fetches;
    const token = await sign(good, CLAIMS);
    await Promise.all(Array.from({ length: 50 }, () => ask(token)));
    expect(provider.fetches).toBe(before);
  });

  test('is looked up once for a flood of unknown key ids', async () => {
    const before = provider.fetches;
    const unknownKeys = await Promise.all(Array.from({ length: 40 }, (_, i) => providerKey(`stranger-${i}`)));
    const answers = await Promise.all(unknownKeys.map(async (key) => ask(await sign(key, CLAIMS))));
    expect(new Set(answers.map(String))).toEqual(new Set(['401,invalid_token']));
    expect(provider.fetches - before).toBeLessThanOrEqual(1);
  });

  test('may be away while its keys are fresh', async () => {
    await provider.stop();
    expect(await ask(await sign(good, CLAIMS))).toEqual([200, 'owner']);
    await provider.start();
  });

  test('that was never had is 503 with Retry-After', async () => {
    const cold = await bootProbe(database.adminUrl, {
      AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks.json',
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
    });
    try {
      const answer = await cold.ask('GET', 'me', { authorization: `Bearer ${await sign(good, CLAIMS)}` });
      expect([answer.status, answer.body['code']]).toEqual([503, 'auth_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await cold.close();
    }
  });
});
