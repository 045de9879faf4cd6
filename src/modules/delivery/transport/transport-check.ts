/** Checks a configured transport: its host, its TLS, and its credentials. */
import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { HttpProvider, SmtpServer, TransportConfig } from '../../../platform/config/mail-transports.js';
import { smtpCodeOf } from '../domain/smtp-response.js';
import { providerNamed } from '../providers/registry.js';
import { connectionOptions } from './smtp.transport.js';

interface TransportCheck {
  readonly check: 'host' | 'tls' | 'credentials';
  readonly state: 'ok' | 'warning' | 'failed';
  /** Contains no secret and no text of the server. */
  readonly detail: string;
}

/** Milliseconds of each phase. */
const TIMEOUT_MS = 10_000;

/** Sends nothing. If a check fails, those that depend on it are skipped. */
export async function checkTransport(transport: TransportConfig): Promise<TransportCheck[]> {
  const host = transport.kind === 'smtp' ? transport.host : new URL(transport.url).hostname;
  const found = await checkHost(host.replace(/^\[|\]$/g, ''));
  if (found.state === 'failed') return [found];
  return [found, ...(await (transport.kind === 'smtp' ? checkSmtp(transport) : checkHttp(transport)))];
}

async function checkHost(host: string): Promise<TransportCheck> {
  try {
    const addresses = await lookup(host, { all: true });
    return {
      check: 'host',
      state: 'ok',
      detail: `${host} resolves to ${addresses.map(({ address }) => address).join(', ')}`,
    };
  } catch (error) {
    return { check: 'host', state: 'failed', detail: `${host} cannot be resolved (${codeOf(error)})` };
  }
}

async function checkSmtp(server: SmtpServer): Promise<TransportCheck[]> {
  const { port, tls, isLocal, credentials } = server;
  const connection = new SMTPConnection({
    ...connectionOptions(server),
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  connection.on('error', () => undefined);
  const step = (act: (done: (error?: Error | null) => void) => void): Promise<unknown> =>
    new Promise((resolve) => {
      connection.once('error', resolve);
      act((error) => resolve(error ?? undefined));
    });
  try {
    const refused = await step((done) => connection.connect(done));
    if (refused !== undefined)
      return [{ check: 'tls', state: 'failed', detail: `no session on port ${port}: ${reasonOf(refused)}` }];
    const encrypted: TransportCheck = connection.secure
      ? { check: 'tls', state: 'ok', detail: `port ${port} is encrypted` }
      : {
          check: 'tls',
          state: isLocal || tls === 'never' ? 'ok' : 'warning',
          detail: `port ${port} is not encrypted: the server offers no STARTTLS`,
        };
    if (!credentials)
      return [encrypted, { check: 'credentials', state: 'ok', detail: 'none are configured' }];
    const login = await step((done) => connection.login({ credentials }, done));
    return [
      encrypted,
      login === undefined
        ? { check: 'credentials', state: 'ok', detail: 'the server accepts them' }
        : {
            check: 'credentials',
            state: 'failed',
            detail: `the server rejects them: ${reasonOf(login)}`,
          },
    ];
  } finally {
    connection.close();
  }
}

/** An empty request has no recipient, so a server that accepts the key rejects it as incomplete. */
async function checkHttp({ url, key, api }: HttpProvider): Promise<TransportCheck[]> {
  const isSecure = url.startsWith('https:');
  let status: number;
  try {
    status = await new Promise<number>((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(
        url,
        {
          method: 'POST',
          timeout: TIMEOUT_MS,
          minVersion: 'TLSv1.2',
          headers: {
            ...providerNamed(api).credentialHeaders(key),
            'content-type': 'application/json',
            'content-length': 2,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('timeout', () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
      request.on('error', reject);
      request.end('{}');
    });
  } catch (error) {
    return [{ check: 'tls', state: 'failed', detail: `no connection: ${codeOf(error)}` }];
  }
  const connected: TransportCheck = {
    check: 'tls',
    state: 'ok',
    detail: isSecure
      ? 'the connection is encrypted'
      : 'the connection is not encrypted, but stays on this machine',
  };
  const credentials = (state: TransportCheck['state'], detail: string): TransportCheck[] => [
    connected,
    { check: 'credentials', state, detail: `${detail} (HTTP ${status})` },
  ];
  if (status === 401 || status === 403) return credentials('failed', 'the API rejects the key');
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return credentials('failed', 'this URL does not accept messages');
  if (status >= 500 || status === 429)
    return credentials('failed', 'the API is unavailable, try again later');
  return credentials('ok', 'the API accepts the key');
}

function reasonOf(error: unknown): string {
  const certificate = codeOf((error as { cause?: unknown }).cause ?? error);
  const reply = smtpCodeOf(error);
  return reply === certificate || certificate === 'unknown' ? reply : `${reply}, ${certificate}`;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'unknown';
}
