/**
 * The local mailbox of the embedded default: receives every email that Waypost sends, keeps it over restarts and
 * shows it on a web page. It never forwards mail.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { ConfigError } from '../../config/config.js';
import { hostFaultOf } from '../../config/host-fault.js';
import { limitConnections, CONNECTION_LIMITS, serverOptionsOf } from '../../network/connection-limits.js';
import { mailboxHandler } from './mailbox-http.js';
import { smtpServer } from './mailbox-smtp.js';
import { MailboxStore } from './mailbox-store.js';

export interface MailboxOptions {
  /** Folder of the messages; created if it does not exist. */
  readonly dir: string;
  /** Always on 127.0.0.1, because only this process sends here; any free port by default. */
  readonly smtpPort?: number;
  /** MAILBOX_PORT; 0 means any free port. */
  readonly httpPort: number;
  /** MAILBOX_HOST: the host that serves the page. */
  readonly host: string;
  /** Other host names by which people open the page. */
  readonly names?: readonly string[];
  /** Maximum number of messages; the newest are retained. */
  readonly capacity?: number;
}

export interface Mailbox {
  /** `smtp://127.0.0.1:port` */
  readonly smtpUrl: string;
  /** `http://host:port` */
  readonly httpUrl: string;
  /** Stops both servers. A message already acknowledged with 250 stays stored. */
  stop(): Promise<void>;
}

const SMTP_HOST = '127.0.0.1';
/** Enough for many browser tabs of a team. */
const LIMITS = { ...CONNECTION_LIMITS, maxConnections: 500, maxPerAddress: 500 };

/** @throws ConfigError naming MAILBOX_HOST or MAILBOX_PORT if the page cannot be served there. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const store = new MailboxStore(
    options.dir,
    options.capacity === undefined ? {} : { capacity: options.capacity },
  );
  const names = [options.host, ...(options.names ?? [])].map((name) => name.toLowerCase());
  const http = createServer(serverOptionsOf(LIMITS), mailboxHandler(store, names));
  limitConnections(http, LIMITS);
  const smtp = smtpServer(store);
  try {
    await listening(http, () => http.listen(options.httpPort, options.host));
  } catch (error) {
    throw hostFaultOf('MAILBOX_HOST', options.host, error) ?? portError(options, error);
  }
  try {
    await listening(smtp.server, () => smtp.listen(options.smtpPort ?? 0, SMTP_HOST));
  } catch (error) {
    await closeHttp(http);
    throw error;
  }
  return {
    smtpUrl: `smtp://${SMTP_HOST}:${portOf(smtp.server)}`,
    httpUrl: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${portOf(http)}`,
    stop: async () => {
      await Promise.all([closeSmtp(smtp), closeHttp(http)]);
      await store.close();
    },
  };
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.removeListener('error', reject);
      resolve();
    });
    listen();
  });
}

function portError({ host, httpPort }: MailboxOptions, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason =
    code === 'EADDRINUSE' ? 'another program uses this port' : `it cannot be opened (${code ?? message})`;
  return new ConfigError(
    `MAILBOX_PORT "${httpPort}": ${reason} on ${host}: stop that program or use another port.`,
  );
}

function closeSmtp(smtp: SMTPServer): Promise<void> {
  return new Promise((resolve) => smtp.close(() => resolve()));
}

function closeHttp(http: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
