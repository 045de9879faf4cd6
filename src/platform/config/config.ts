/**
 * The only code that reads the environment: once at startup, validated as a whole. An invalid or missing value stops
 * startup with one line that names the variable and the fix (README documents every variable).
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { networkParts } from '../network/network-parts.js';
import { ConfigError } from './config-error.js';
import { allowedHostsOf, browserPathOf, spamdOf, type SpamdServer } from './inspection.js';
import { migrationBaseUrlsOf, type MigrationBaseUrls, migrationStorageOf } from './migrations.js';
import { mailProvidersOf, smtpServerOf, SMTP_NAME, type TransportConfig } from './mail-transports.js';

export { ConfigError } from './config-error.js';

export type QueueBackend =
  | { readonly kind: 'postgres' }
  | {
      readonly kind: 'redis';
      readonly url: string;
      /** The prefix of all keys; undefined means a prefix derived from the database. */
      readonly prefix: string | undefined;
    };

export interface IdentityProvider {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

export interface AppConfig {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Addresses and networks whose X-Forwarded-For is trusted; each is well-formed. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser, as browsers send them. */
  readonly corsOrigins: readonly string[];
  /** Whether GraphQL allows introspection and suggests field names. */
  readonly introspection: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** The operator's PostgreSQL; undefined means the embedded one. */
  readonly databaseUrl: string | undefined;
  /** Milliseconds that work waits for a database connection before it fails with 503. */
  readonly databaseWaitMs: number;
  readonly queue: QueueBackend;
  /** The operator's SMTP server. If there are no further transports either, undefined means the local mailbox. */
  readonly smtpUrl: string | undefined;
  /** The operator's further transports for live mail, in the order in which they are tried after SMTP_URL. */
  readonly mailProviders: readonly TransportConfig[];
  readonly mailboxPort: number;
  /** Where the mailbox's page is served; `host` does not change it. */
  readonly mailboxHost: string;
  /** The operator's identity provider; undefined means the local issuer (never in production). */
  readonly identityProvider: IdentityProvider | undefined;
  readonly paymentWebhookSecrets: readonly string[];
  readonly paymentPlanPrefix: string;
  /** Keys of the email provider's webhook; any of them verifies. */
  readonly emailWebhookSecrets: readonly Buffer[];
  /** Domain of the return-path addresses; undefined means that bounces go to the sender of each message. */
  readonly returnPathDomain: string | undefined;
  readonly billingWebhookSecret: string | undefined;
  /** Tokens that give access to GET /metrics. Without any, access is open, or closed in production. */
  readonly metricsTokens: readonly string[];
  /**
   * Lists of secrets. The first signs, hashes and encrypts; all verify and decrypt. In the running service no list is
   * empty: an empty list here is generated into the data directory (never in production).
   */
  readonly tokenSecrets: readonly string[];
  readonly apiKeySecrets: readonly string[];
  /** 32 bytes each, as 64 hexadecimal digits. */
  readonly encryptionKeys: readonly string[];
  readonly clockSpeed: number;
  readonly sharedSendingDomain: string;
  /** The key that signs mail of the shared domain; undefined if such mail is not signed. */
  readonly sharedDkim: SharedDkim | undefined;
  /** DNS servers for the records of sending domains, `address` or `address:port`; if empty, the machine's own. */
  readonly dnsServers: readonly string[];
  /** The operator's SpamAssassin; undefined if there is none. */
  readonly spamd: SpamdServer | undefined;
  /** Absolute path of the operator's Chromium; undefined if there is none. */
  readonly browserPath: string | undefined;
  /** Private hosts that quality analysis may fetch from: names and addresses in lower case. */
  readonly inspectAllowHosts: readonly string[];
  /** Base URLs that replace the platforms' own hosts; they may be private. */
  readonly migrationBaseUrls: MigrationBaseUrls;
  /** Maximum bytes of stored migration files of all workspaces together, uploads and downloads. */
  readonly migrationStorageBytes: number;
  readonly logLevel: LogLevel;
}

export interface SharedDkim {
  readonly selector: string;
  /** RSA, PKCS#8. */
  readonly privateKey: KeyObject;
}

/** The configuration of the running service: every open value has been found or generated. */
export interface RuntimeConfig extends AppConfig {
  readonly databaseUrl: string;
  /** The suffix of the service's roles. Empty unless another installation on the server uses the plain names. */
  readonly roleSuffix: string;
  /** The prefix of keys in Redis; empty in processes that do not use it. */
  readonly redisPrefix: string;
  /** Where mail of the live environment is sent; undefined in processes that send none. */
  readonly smtpUrl: string | undefined;
  /**
   * Where mail of the test environment is sent: the local mailbox. Undefined if none runs; such mail then goes nowhere.
   */
  readonly sandboxSmtpUrl: string | undefined;
  /** Whether this is the only process that serves on its database, so that request counters need not be shared. */
  readonly isSingleProcess: boolean;
}

/** Injection token of the RuntimeConfig. */
export const RUNTIME_CONFIG = Symbol('RUNTIME_CONFIG');

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates the whole environment.
 * @throws ConfigError naming the first invalid or missing variable.
 */
export function loadConfig(env: Env): AppConfig {
  const read = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const production = read('NODE_ENV') === 'production';
  const host = read('HOST') ?? '127.0.0.1';
  const port = portOf('PORT', read('PORT'), 3000);
  return {
    production,
    host,
    port,
    trustedProxies: networksOf('TRUSTED_PROXIES', read('TRUSTED_PROXIES')),
    corsOrigins: originsOf('CORS_ORIGINS', read('CORS_ORIGINS'), production),
    introspection: switchOf('GRAPHQL_INTROSPECTION', read('GRAPHQL_INTROSPECTION')) ?? !production,
    baseUrl: baseUrlOf(read('BASE_URL'), production) ?? `http://${nameOf(host)}:${port}`,
    dataDir: resolve(read('DATA_DIR') ?? '.data'),
    databaseUrl: urlOf('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:']),
    databaseWaitMs: databaseWaitOf(read('DATABASE_WAIT_MS') ?? '5000', production),
    queue: queueOf(
      read('QUEUE_BACKEND') ?? 'postgres',
      urlOf('REDIS_URL', read('REDIS_URL'), ['redis:', 'rediss:']),
      redisPrefixOf(read('REDIS_PREFIX')),
    ),
    smtpUrl: smtpUrlOf(read('SMTP_URL')),
    mailProviders: mailProvidersOf(listOf(read('MAIL_PROVIDERS'))),
    mailboxPort: portOf('MAILBOX_PORT', read('MAILBOX_PORT'), 1080),
    mailboxHost: read('MAILBOX_HOST') ?? '127.0.0.1',
    identityProvider: identityProviderOf(read, production),
    paymentWebhookSecrets: listOf(read('PAYMENT_WEBHOOK_SECRET')),
    paymentPlanPrefix: read('PAYMENT_PLAN_PREFIX') ?? 'plan_',
    emailWebhookSecrets: signingKeysOf('EMAIL_WEBHOOK_SECRET', read('EMAIL_WEBHOOK_SECRET'), production),
    returnPathDomain: optionalDomainOf('RETURN_PATH_DOMAIN', read('RETURN_PATH_DOMAIN')),
    billingWebhookSecret: read('BILLING_WEBHOOK_SECRET'),
    metricsTokens: secretsOf('METRICS_TOKEN', read('METRICS_TOKEN'), false, LONG_SECRET),
    tokenSecrets: secretsOf('TOKEN_SECRET', read('TOKEN_SECRET'), production, LONG_SECRET),
    apiKeySecrets: secretsOf('API_KEY_SECRET', read('API_KEY_SECRET'), production, LONG_SECRET),
    encryptionKeys: secretsOf('ENCRYPTION_KEY', read('ENCRYPTION_KEY'), production, HEXADECIMAL_SECRET),
    clockSpeed: clockSpeedOf(read('CLOCK_SPEED'), production),
    sharedSendingDomain: domainOf('SHARED_SENDING_DOMAIN', read('SHARED_SENDING_DOMAIN') ?? 'mail.localhost'),
    sharedDkim: sharedDkimOf(read('SHARED_DKIM_SELECTOR'), read('SHARED_DKIM_KEY')),
    dnsServers: dnsServersOf('DNS_SERVERS', read('DNS_SERVERS')),
    spamd: spamdOf(read('SPAMD_URL')),
    browserPath: browserPathOf(read('BROWSER_PATH')),
    inspectAllowHosts: allowedHostsOf(listOf(read('INSPECT_ALLOW_HOSTS'))),
    migrationBaseUrls: migrationBaseUrlsOf(read('MIGRATION_BASE_URLS')),
    migrationStorageBytes: migrationStorageOf(read('MIGRATION_STORAGE_GB') ?? '50'),
    logLevel: logLevelOf(read('LOG_LEVEL') ?? 'info'),
  };
}

/** A host for use in a URL: this machine's own if the API listens on every address. */
function nameOf(host: string): string {
  if (WILDCARD_ADDRESSES.has(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

const WILDCARD_ADDRESSES = new Set(['0.0.0.0', '::']);

/** The items of a comma-separated list, without blank ones. */
function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function networksOf(name: string, text: string | undefined): readonly string[] {
  const list = listOf(text);
  const wrong = list.find((part) => networkParts(part) === undefined);
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} contains "${wrong}": use comma-separated addresses and networks, such as 10.0.0.0/8.`,
    );
  return list;
}

/** Only exact origins: a pattern would also admit attackers who register a matching name. */
function originsOf(name: string, text: string | undefined, production: boolean): readonly string[] {
  return listOf(text).map((part) => {
    const url = URL.canParse(part) ? new URL(part) : undefined;
    const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
    if (!isOrigin || /[*?#@]/.test(part))
      throw new ConfigError(
        `${name} contains "${part}": use comma-separated origins, such as https://app.example.com.`,
      );
    if (production && url.protocol !== 'https:')
      throw new ConfigError(`${name} contains "${part}": production requires https.`);
    return url.origin;
  });
}

function portOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= 65_535))
    throw new ConfigError(`${name} must be a port from 1 to 65535, not "${text}".`);
  return port;
}

function urlOf(name: string, text: string | undefined, protocols: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  const shape = protocols.map((protocol) => `${protocol}//…`).join(' or ');
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new ConfigError(`${name} is not a valid URL: use the form ${shape}.`);
  return text;
}

function smtpUrlOf(text: string | undefined): string | undefined {
  if (text !== undefined) smtpServerOf('SMTP_URL', SMTP_NAME, text);
  return text;
}

/** Emails contain links with tokens to this URL, so production requires https. */
function baseUrlOf(text: string | undefined, production: boolean): string | undefined {
  if (text === undefined && production)
    throw new ConfigError(
      'BASE_URL is missing: it is required in production, such as https://mail.example.com.',
    );
  return urlOf('BASE_URL', text, production ? ['https:'] : ['http:', 'https:'])?.replace(/\/+$/, '');
}

function redisPrefixOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[a-z0-9][a-z0-9:_-]{0,63}$/i.test(text))
    throw new ConfigError(
      'REDIS_PREFIX must be 1 to 64 letters, digits, colons, hyphens and underscores, such as waypost-eu, not ' +
        `"${text}".`,
    );
  return text;
}

function queueOf(backend: string, redisUrl: string | undefined, prefix: string | undefined): QueueBackend {
  if (backend === 'postgres') return { kind: 'postgres' };
  if (backend !== 'redis')
    throw new ConfigError(`QUEUE_BACKEND must be postgres or redis, not "${backend}".`);
  if (redisUrl === undefined)
    throw new ConfigError(
      'REDIS_URL is missing: it is required with QUEUE_BACKEND=redis, such as redis://127.0.0.1:6379.',
    );
  return { kind: 'redis', url: redisUrl, prefix };
}

function identityProviderOf(
  read: (name: string) => string | undefined,
  production: boolean,
): IdentityProvider | undefined {
  const jwksUrl = urlOf('AUTH_JWKS_URL', read('AUTH_JWKS_URL'), ['http:', 'https:']);
  const issuer = read('AUTH_ISSUER');
  const audience = read('AUTH_AUDIENCE');
  if (jwksUrl === undefined && issuer === undefined && audience === undefined && !production)
    return undefined;
  const missing = (name: string): ConfigError =>
    new ConfigError(
      `${name} is missing: an identity provider requires AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE.`,
    );
  if (jwksUrl === undefined) throw missing('AUTH_JWKS_URL');
  if (issuer === undefined) throw missing('AUTH_ISSUER');
  if (audience === undefined) throw missing('AUTH_AUDIENCE');
  return { jwksUrl, issuer, audience };
}

interface SecretShape {
  readonly pattern: RegExp;
  readonly meaning: string;
}

const LONG_SECRET: SecretShape = { pattern: /^.{32,}$/s, meaning: 'at least 32 characters' };
const HEXADECIMAL_SECRET: SecretShape = { pattern: /^[0-9a-f]{64}$/i, meaning: '64 hexadecimal digits' };

function secretsOf(
  name: string,
  text: string | undefined,
  production: boolean,
  { pattern, meaning }: SecretShape,
): readonly string[] {
  const secrets = listOf(text);
  if (secrets.length === 0 && production)
    throw new ConfigError(`${name} is missing: production requires ${meaning}.`);
  if (!secrets.every((secret) => pattern.test(secret)))
    throw new ConfigError(`${name} is not valid: use ${meaning}; separate several with commas.`);
  return secrets;
}

const SIGNING_PREFIX = 'whsec_';
/** As Standard Webhooks requires: 24 to 64 bytes. */
const MIN_KEY_BYTES = 24;

/** Standard Webhooks secrets: `whsec_` and base64, separated by commas. */
function signingKeysOf(name: string, text: string | undefined, production: boolean): readonly Buffer[] {
  return listOf(text).map((secret) => {
    const digits = secret.startsWith(SIGNING_PREFIX) ? secret.slice(SIGNING_PREFIX.length) : secret;
    const key = Buffer.from(digits, 'base64');
    const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(digits) && key.length > 0;
    if (!isBase64 || (production && key.length < MIN_KEY_BYTES))
      throw new ConfigError(
        `${name} is not valid: use the key shown by the provider, ${SIGNING_PREFIX} followed by base64 of at ` +
          `least ${MIN_KEY_BYTES} bytes; separate several with commas.`,
      );
    return key;
  });
}

function optionalDomainOf(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : domainOf(name, text);
}

function clockSpeedOf(text: string | undefined, production: boolean): number {
  if (text === undefined) return 1;
  const speed = Number(text);
  if (!Number.isFinite(speed) || speed <= 0 || speed > 1_000_000)
    throw new ConfigError(`CLOCK_SPEED must be a number above 0 and at most 1000000, not "${text}".`);
  if (production && speed !== 1)
    throw new ConfigError('CLOCK_SPEED is not allowed in production: remove it.');
  return speed;
}

/**
 * Less than the ten seconds after which a query times out and a shutdown is forced, so that no work continues after the
 * response.
 */
const MAX_DATABASE_WAIT_MS = 8_000;

function databaseWaitOf(text: string, production: boolean): number {
  const wait = Number(text);
  // Outside of production a busy machine may take as long as it needs.
  const longest = production ? MAX_DATABASE_WAIT_MS : 600_000;
  if (!Number.isInteger(wait) || wait < 100 || wait > longest)
    throw new ConfigError(`DATABASE_WAIT_MS must be an integer from 100 to ${longest}, not "${text}".`);
  return wait;
}

function switchOf(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} must be on or off, not "${text}".`);
  return text === 'on';
}

function domainOf(name: string, text: string): string {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text))
    throw new ConfigError(`${name} must be a domain name, such as mail.example.com, not "${text}".`);
  return text.toLowerCase();
}

const MIN_KEY_BITS = 2_048;

function sharedDkimOf(selector: string | undefined, text: string | undefined): SharedDkim | undefined {
  if (selector === undefined && text === undefined) return undefined;
  if (selector === undefined || !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(selector))
    throw new ConfigError(
      'SHARED_DKIM_SELECTOR is missing or not a valid label: use the selector of the DNS record, such as ' +
        'waypost1.',
    );
  const hint = 'create one with `npm run cli -- dkim:key`';
  if (text === undefined)
    throw new ConfigError(`SHARED_DKIM_KEY is missing although SHARED_DKIM_SELECTOR is set: ${hint}.`);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new ConfigError(`SHARED_DKIM_KEY is not a private key (PKCS#8 in base64): ${hint}.`);
  }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey.asymmetricKeyType !== 'rsa' || bits < MIN_KEY_BITS)
    throw new ConfigError(`SHARED_DKIM_KEY is not an RSA key of at least ${MIN_KEY_BITS} bits: ${hint}.`);
  return { selector: selector.toLowerCase(), privateKey };
}

function dnsServersOf(name: string, text: string | undefined): readonly string[] {
  const servers = listOf(text);
  const wrong = servers.find((server) => !isServer(server));
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} has "${wrong}": give addresses, such as 9.9.9.9 or [2620:fe::fe]:53, with commas between.`,
    );
  return servers;
}

function isServer(text: string): boolean {
  if (isIP(text) > 0) return true;
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

function logLevelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === text);
  if (!level) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
  return level;
}
