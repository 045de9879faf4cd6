import { generateKeyPairSync } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from './config.js';

function keyOf(kind: 'rsa' | 'ed25519', bits = 2_048): string {
  const { privateKey } =
    kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

const DKIM = { SHARED_DKIM_SELECTOR: 'W1', SHARED_DKIM_KEY: keyOf('rsa') };

const PRODUCTION = {
  NODE_ENV: 'production',
  AUTH_JWKS_URL: 'https://id.example/jwks',
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'waypost',
  BASE_URL: 'https://waypost.example',
  TOKEN_SECRET: 'x'.repeat(32),
  API_KEY_SECRET: 'y'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
};

test('everything has its default', () => {
  expect(loadConfig({})).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 3000,
    baseUrl: 'http://127.0.0.1:3000',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    databaseWaitMs: 5_000,
    queue: { kind: 'postgres' },
    smtpUrl: undefined,
    mailboxPort: 1080,
    mailboxHost: '127.0.0.1',
    trustedProxies: [],
    corsOrigins: [],
    introspection: true,
    identityProvider: undefined,
    paymentWebhookSecrets: [],
    paymentPlanPrefix: 'plan_',
    clockSpeed: 1,
    sharedSendingDomain: 'mail.localhost',
    sharedDkim: undefined,
    dnsServers: [],
    spamd: undefined,
    browserPath: undefined,
    inspectAllowHosts: [],
    logLevel: 'info',
  });
});

test.each([
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['waypost.local', 'http://waypost.local:3000'],
])('links of a service on %s begin with %s', (HOST, baseUrl) =>
  expect(loadConfig({ HOST }).baseUrl).toBe(baseUrl),
);

test('values are read, blanks count as absent, secrets are listed', () => {
  const config = loadConfig({
    PORT: ' 8080 ',
    HOST: '',
    BASE_URL: 'https://w.example/',
    PAYMENT_WEBHOOK_SECRET: 'a, ,b',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
  });
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    baseUrl: 'https://w.example',
    paymentWebhookSecrets: ['a', 'b'],
    trustedProxies: ['10.0.0.0/8', '::1'],
  });
});

test('origins are read as browsers write them', () => {
  const CORS_ORIGINS = 'https://App.example.com/, http://localhost:5173,https://other.example:443';
  expect(loadConfig({ CORS_ORIGINS }).corsOrigins).toEqual([
    'https://app.example.com',
    'http://localhost:5173',
    'https://other.example',
  ]);
});

test('a schema is told of outside of production, and where the operator says so', () => {
  expect(loadConfig(PRODUCTION).introspection).toBe(false);
  expect(loadConfig({ ...PRODUCTION, GRAPHQL_INTROSPECTION: 'on' }).introspection).toBe(true);
  expect(loadConfig({ GRAPHQL_INTROSPECTION: 'off' }).introspection).toBe(false);
});

test('DNS servers and the key of the shared domain are read', () => {
  const { dnsServers, sharedDkim } = loadConfig({
    ...DKIM,
    DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353,[::1]:53,::1',
  });
  expect(dnsServers).toEqual(['9.9.9.9', '127.0.0.1:5353', '[::1]:53', '::1']);
  expect(sharedDkim?.selector).toBe('w1');
  expect(sharedDkim?.privateKey.asymmetricKeyType).toBe('rsa');
});

test('what quality analysis has at hand is read', () => {
  const BROWSER_PATH = process.execPath;
  const INSPECT_ALLOW_HOSTS = 'Assets.lan, 10.0.0.7,[FD00::1],Assets.lan:8080,10.0.0.8:80,[FD00:0::1]:8080';
  expect(loadConfig({ SPAMD_URL: 'spamd://spam.lan', BROWSER_PATH, INSPECT_ALLOW_HOSTS })).toMatchObject({
    spamd: { host: 'spam.lan', port: 783 },
    browserPath: BROWSER_PATH,
    inspectAllowHosts: [
      ...['assets.lan', '10.0.0.7', 'fd00::1'],
      ...['assets.lan:8080', '10.0.0.8:80', '[fd00::1]:8080'],
    ],
  });
  expect(loadConfig({ SPAMD_URL: 'spamd://[::1]:7830/' }).spamd).toEqual({ host: '::1', port: 7830 });
});

test('where platforms are asked is read, as origins', () => {
  const MIGRATION_BASE_URLS = JSON.stringify({
    klaviyo: 'http://127.0.0.1:4010/',
    braze: 'HTTPS://Proxy.lan:443',
    intercom: 'http://[::1]:80',
  });
  expect(loadConfig({ MIGRATION_BASE_URLS }).migrationBaseUrls).toEqual({
    klaviyo: 'http://127.0.0.1:4010',
    braze: 'https://proxy.lan',
    intercom: 'http://[::1]',
  });
  expect(loadConfig({ MIGRATION_BASE_URLS: ' ' }).migrationBaseUrls).toEqual({});
});

test('the files of migrations may take so many gigabytes, 50 where nothing is said', () => {
  expect(loadConfig({}).migrationStorageBytes).toBe(53_687_091_200);
  expect(loadConfig({ MIGRATION_STORAGE_GB: '2' }).migrationStorageBytes).toBe(2_147_483_648);
});

test.each<readonly [text: string, why: string]>([
  ['{"klaviyo":', 'is not a JSON object'],
  ['[]', 'is not a JSON object'],
  ['null', 'is not a JSON object'],
  ['http://127.0.0.1:4010', 'is not a JSON object'],
  ['{"sendgrid":"http://127.0.0.1"}', 'contains "sendgrid": supported platforms are customerio, braze,'],
  ['{"file":"http://127.0.0.1"}', 'contains "file"'],
  ['{"__proto__":"http://127.0.0.1"}', 'contains "__proto__"'],
  ...[
    ...['""', '7', 'null', '{}', '"127.0.0.1:4010"', '"ftp://127.0.0.1"', '"http://"', '"http://[::1"'],
    ...['"http://127.0.0.1:99999"', '"http://127.0.0.1/api"', '"http://127.0.0.1?a"', '"http://127.0.0.1/?"'],
    ...['"http://127.0.0.1#a"', '"http://user:secret@127.0.0.1"', '"http://@127.0.0.1"'],
  ].map((url) => [`{"klaviyo":${url}}`, 'has no valid URL for klaviyo'] as const),
])('MIGRATION_BASE_URLS=%s is refused', (MIGRATION_BASE_URLS, why) => {
  const load = (): unknown => loadConfig({ MIGRATION_BASE_URLS });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(`MIGRATION_BASE_URLS ${why}`);
  expect(load).not.toThrow(/secret/);
});

test('secrets are lists', () => {
  const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
  const list = ` ${one} , ${two},`;
  expect(loadConfig({ TOKEN_SECRET: list, API_KEY_SECRET: list, ENCRYPTION_KEY: list })).toMatchObject({
    tokenSecrets: [one, two],
    apiKeySecrets: [one, two],
    encryptionKeys: [one, two],
  });
});

test('production with everything it needs', () => {
  expect(loadConfig(PRODUCTION)).toMatchObject({
    production: true,
    identityProvider: { audience: 'waypost' },
  });
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['a port that is none', { PORT: 'x' }, 'PORT'],
  ['a port out of range', { PORT: '70000' }, 'PORT'],
  ['a mailbox port that is none', { MAILBOX_PORT: '0' }, 'MAILBOX_PORT'],
  ['an address of another kind', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  ['an SMTP address that is none', { SMTP_URL: 'mail.example' }, 'SMTP_URL'],
  ['a proxy that is no address', { TRUSTED_PROXIES: '10.0.0.1, nginx' }, 'TRUSTED_PROXIES'],
  ['a switch that is neither', { GRAPHQL_INTROSPECTION: 'yes' }, 'GRAPHQL_INTROSPECTION'],
  ['every origin', { CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
  ['origins of a pattern', { CORS_ORIGINS: 'https://*.example.com' }, 'CORS_ORIGINS'],
  ['an origin with a path', { CORS_ORIGINS: 'https://app.example.com/x' }, 'CORS_ORIGINS'],
  ['an origin with a user', { CORS_ORIGINS: 'https://a@app.example.com' }, 'CORS_ORIGINS'],
  ['an origin of no scheme', { CORS_ORIGINS: 'app.example.com' }, 'CORS_ORIGINS'],
  ['the origin of files', { CORS_ORIGINS: 'null' }, 'CORS_ORIGINS'],
  ['an open origin in production', { ...PRODUCTION, CORS_ORIGINS: 'http://app.example.com' }, 'CORS_ORIGINS'],
  ['an unknown queue', { QUEUE_BACKEND: 'kafka' }, 'QUEUE_BACKEND'],
  ['Redis without its address', { QUEUE_BACKEND: 'redis' }, 'REDIS_URL'],
  ['a prefix with blanks', { REDIS_PREFIX: 'way post' }, 'REDIS_PREFIX'],
  ['a prefix with a hash tag', { REDIS_PREFIX: '{waypost}' }, 'REDIS_PREFIX'],
  ['half an identity provider', { AUTH_ISSUER: 'x' }, 'AUTH_JWKS_URL'],
  ['a short secret', { TOKEN_SECRET: 'short' }, 'TOKEN_SECRET'],
  ['a list with a short secret', { TOKEN_SECRET: `${'x'.repeat(32)},short` }, 'TOKEN_SECRET'],
  ['a short secret of keys', { API_KEY_SECRET: 'short' }, 'API_KEY_SECRET'],
  ['a production without https', { ...PRODUCTION, BASE_URL: 'http://waypost.example' }, 'BASE_URL'],
  ['a key of another form', { ENCRYPTION_KEY: 'x' }, 'ENCRYPTION_KEY'],
  ['no wait for a connection', { DATABASE_WAIT_MS: '0' }, 'DATABASE_WAIT_MS'],
  ['no room for files', { MIGRATION_STORAGE_GB: '0' }, 'MIGRATION_STORAGE_GB'],
  ['a part of a gigabyte', { MIGRATION_STORAGE_GB: '1.5' }, 'MIGRATION_STORAGE_GB'],
  ['half a millisecond', { DATABASE_WAIT_MS: '100.5' }, 'DATABASE_WAIT_MS'],
  ['a wait without end', { DATABASE_WAIT_MS: '600001' }, 'DATABASE_WAIT_MS'],
  ['a short token of metrics', { METRICS_TOKEN: 'secret' }, 'METRICS_TOKEN'],
  ['a wait beyond an answer', { ...PRODUCTION, DATABASE_WAIT_MS: '8001' }, 'DATABASE_WAIT_MS'],
  ['a clock that stands', { CLOCK_SPEED: '0' }, 'CLOCK_SPEED'],
  ['a fast clock in production', { ...PRODUCTION, CLOCK_SPEED: '2' }, 'CLOCK_SPEED'],
  ['a domain that is none', { SHARED_SENDING_DOMAIN: 'a b' }, 'SHARED_SENDING_DOMAIN'],
  ['a DNS server that is no address', { DNS_SERVERS: '9.9.9.9, dns.example' }, 'DNS_SERVERS'],
  ['a DNS server of no port', { DNS_SERVERS: '9.9.9.9:0' }, 'DNS_SERVERS'],
  ['a key without its selector', { SHARED_DKIM_KEY: keyOf('rsa', 2_048) }, 'SHARED_DKIM_SELECTOR'],
  ['a selector of two labels', { ...DKIM, SHARED_DKIM_SELECTOR: 'a.b' }, 'SHARED_DKIM_SELECTOR'],
  ['a selector without its key', { SHARED_DKIM_SELECTOR: 'w1' }, 'SHARED_DKIM_KEY'],
  ['a key that is none', { ...DKIM, SHARED_DKIM_KEY: 'AAAA' }, 'SHARED_DKIM_KEY'],
  ['a short key', { ...DKIM, SHARED_DKIM_KEY: keyOf('rsa', 1_024) }, 'SHARED_DKIM_KEY'],
  ['a key of another kind', { ...DKIM, SHARED_DKIM_KEY: keyOf('ed25519') }, 'SHARED_DKIM_KEY'],
  ['a spam filter of another kind', { SPAMD_URL: 'http://127.0.0.1:783' }, 'SPAMD_URL'],
  ['a spam filter of no port', { SPAMD_URL: 'spamd://127.0.0.1:0' }, 'SPAMD_URL'],
  ['a spam filter of no host', { SPAMD_URL: 'spamd://:783' }, 'SPAMD_URL'],
  ['a browser that is not there', { BROWSER_PATH: '/nowhere/chromium' }, 'BROWSER_PATH'],
  ['a browser that is a folder', { BROWSER_PATH: resolve('src') }, 'BROWSER_PATH'],
  ['a browser that cannot be run', { BROWSER_PATH: resolve('package.json') }, 'BROWSER_PATH'],
  ['a browser by its name', { BROWSER_PATH: 'chromium' }, 'BROWSER_PATH'],
  ['a host with a path', { INSPECT_ALLOW_HOSTS: 'assets.lan/x' }, 'INSPECT_ALLOW_HOSTS'],
  ['a host with no such port', { INSPECT_ALLOW_HOSTS: 'assets.lan:70000' }, 'INSPECT_ALLOW_HOSTS'],
  ['hosts of a pattern', { INSPECT_ALLOW_HOSTS: '*.lan' }, 'INSPECT_ALLOW_HOSTS'],
  ['an unknown level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ...Object.keys(PRODUCTION)
    .filter((name) => name !== 'NODE_ENV')
    .map((name): [string, Record<string, string | undefined>, string] => [
      `production without ${name}`,
      { ...PRODUCTION, [name]: undefined },
      name,
    ]),
])('%s stops the start with one line that names the variable', (_, env, variable) => {
  let message = '';
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(message).toMatch(new RegExp(`^${variable} [^\\n]+\\.$`));
});
