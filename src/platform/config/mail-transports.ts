/**
 * Parses the operator's transports for live mail: SMTP_URL, named `smtp`, then MAIL_PROVIDERS, comma-separated
 * `name=address` in the order in which they are tried. The address selects the protocol: `smtp://` or `smtps://` for a
 * mail server, `https://` for a provider's API.
 */
import { isIPv4 } from 'node:net';
import { ConfigError } from './config-error.js';

/** Whether a plaintext connection must upgrade to TLS, upgrades if the server offers it, or never does. */
export const START_TLS = ['required', 'opportunistic', 'never'] as const;
export type StartTls = (typeof START_TLS)[number];

export interface SmtpServer {
  readonly kind: 'smtp';
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** `implicit` if the connection starts with TLS. */
  readonly tls: StartTls | 'implicit';
  /** On the local machine, certificates are not verified and credentials need no TLS. */
  readonly isLocal: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  /** Maximum concurrent connections of a process. */
  readonly connections: number;
  /** Maximum messages per connection. */
  readonly messages: number;
}

export interface HttpProvider {
  readonly kind: 'http';
  readonly name: string;
  /** Where messages are posted, without credentials. */
  readonly url: string;
  readonly key: string;
  /** The name of the email provider whose API it is; by default `send_raw`. */
  readonly api?: string;
  /** Maximum concurrent requests of a process. */
  readonly connections: number;
}

export type TransportConfig = SmtpServer | HttpProvider;

/** The name of the SMTP_URL transport. */
export const SMTP_NAME = 'smtp';
/** The name of the sandbox transport, which live transports may not use. */
export const SANDBOX_NAME = 'sandbox';

export const MAX_CONNECTIONS = 32;
const MESSAGES_PER_CONNECTION = 1_000;
/** In addition to SMTP_URL. */
const MAX_TRANSPORTS = 10;

/** The transports for live mail, in the operator's order. */
export function liveTransports(config: {
  readonly smtpUrl: string | undefined;
  readonly mailProviders: readonly TransportConfig[];
}): readonly TransportConfig[] {
  const { smtpUrl, mailProviders } = config;
  return smtpUrl === undefined
    ? mailProviders
    : [smtpServerOf('SMTP_URL', SMTP_NAME, smtpUrl), ...mailProviders];
}

/** @throws ConfigError naming MAIL_PROVIDERS, and no secret. */
export function mailProvidersOf(entries: readonly string[]): readonly TransportConfig[] {
  const variable = 'MAIL_PROVIDERS';
  if (entries.length > MAX_TRANSPORTS)
    throw new ConfigError(
      `${variable} has ${entries.length} entries: at most ${MAX_TRANSPORTS} are allowed.`,
    );
  const names = new Set<string>([SMTP_NAME, SANDBOX_NAME]);
  return entries.map((entry, index) => {
    const [, name, address] = /^([a-z][a-z0-9-]{0,31})=(.+)$/s.exec(entry) ?? [];
    if (name === undefined || address === undefined)
      throw new ConfigError(
        `${variable}: entry ${index + 1} is not of the form name=URL: use names of lowercase letters, digits and ` +
          'hyphens, such as backup=smtps://user:password@host, separated by commas.',
      );
    if (names.has(name))
      throw new ConfigError(`${variable} contains "${name}" twice: give each entry a different name.`);
    names.add(name);
    return /^https?:/i.test(address)
      ? httpProviderOf(variable, name, address)
      : smtpServerOf(variable, name, address);
  });
}

/** @throws ConfigError naming the variable, and no secret. */
export function smtpServerOf(variable: string, name: string, address: string): SmtpServer {
  const where = variable === 'SMTP_URL' ? variable : `${variable} (${name})`;
  const url = urlOf(address, ['smtp:', 'smtps:']);
  if (!url)
    throw new ConfigError(
      `${where} is not a valid URL: use smtp://… or smtps://… for a mail server, or https://… for an API.`,
    );
  const isImplicit = url.protocol === 'smtps:';
  const options = optionsOf(
    where,
    url,
    isImplicit ? ['connections', 'messages'] : ['tls', 'connections', 'messages'],
  );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = isLoopback(host);
  const credentials = credentialsOf(where, url);
  const given = options.get('tls');
  const tls = START_TLS.find((one) => one === given);
  if (given !== undefined && tls === undefined)
    throw new ConfigError(`${where} has tls=${given}: use one of ${START_TLS.join(', ')}.`);
  const needsTls = credentials !== undefined && !isLocal;
  if (needsTls && tls !== undefined && tls !== 'required')
    throw new ConfigError(
      `${where} has credentials and tls=${tls}: credentials are only sent over TLS, so remove tls or set it to ` +
        'required.',
    );
  return {
    kind: 'smtp',
    name,
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : (tls ?? (needsTls ? 'required' : 'opportunistic')),
    isLocal,
    credentials,
    connections: countOf(where, options, 'connections', MAX_CONNECTIONS, MAX_CONNECTIONS),
    messages: countOf(where, options, 'messages', MESSAGES_PER_CONNECTION, 1_000_000),
  };
}

function httpProviderOf(variable: string, name: string, address: string): HttpProvider {
  const where = `${variable} (${name})`;
  const url = urlOf(address, ['https:', 'http:']);
  if (!url || (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))))
    throw new ConfigError(`${where} is not a valid URL: use the form https://key@host/path.`);
  const options = optionsOf(where, url, ['api', 'connections']);
  const api = options.get('api');
  const key = decoded(where, url.password === '' ? url.username : url.password);
  if (key === '' || !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError(`${where} has no valid key: use the form https://key@host/path.`);
  return {
    kind: 'http',
    name,
    url: `${url.protocol}//${url.host}${url.pathname}`,
    key,
    ...(api === undefined ? {} : { api }),
    connections: countOf(where, options, 'connections', MAX_CONNECTIONS, MAX_CONNECTIONS),
  };
}

function urlOf(text: string, protocols: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined;
}

function optionsOf(where: string, url: URL, known: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [option, value] of url.searchParams) {
    if (!known.includes(option) || options.has(option))
      throw new ConfigError(
        `${where} has ?${option}=…: only these options are supported, each at most once: ${known.join(', ')}.`,
      );
    options.set(option, value);
  }
  return options;
}

function credentialsOf(where: string, url: URL): SmtpServer['credentials'] {
  const [user, pass] = [decoded(where, url.username), decoded(where, url.password)];
  if (user === '' && pass === '') return undefined;
  if (user === '' || pass === '')
    throw new ConfigError(`${where} has only a user or only a password: provide both or neither.`);
  return { user, pass };
}

/** Decodes a percent-encoded part of an address. */
function decoded(where: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError(`${where} has malformed credentials: write % as %25.`);
  }
}

function countOf(
  where: string,
  options: ReadonlyMap<string, string>,
  option: string,
  fallback: number,
  most: number,
): number {
  const text = options.get(option);
  if (text === undefined) return fallback;
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most)
    throw new ConfigError(`${where} has ${option}=${text}: use a number from 1 to ${most}.`);
  return count;
}

/** Whether a host is this machine by its name. Does not resolve the name. */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
