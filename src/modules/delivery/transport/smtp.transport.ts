/**
 * SMTP with nodemailer's pool. The pool is used directly, without nodemailer's mailer: the message is already finished,
 * and only this way is it known whether any byte of it was transmitted when an attempt failed, which decides whether it
 * can be sent again. The pool writes every line break as CRLF and doubles leading dots, so no content can end a message
 * and start another.
 */
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SmtpServer } from '../../../platform/config/mail-transports.js';
import { MailTransport, TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';
import { classifySmtpError, smtpCodeOf } from '../domain/smtp-response.js';
import { startTimeLimit } from './time-limit.js';

type PoolMail = Parameters<SMTPPool['send']>[0];

/** Milliseconds of each phase: DNS lookup, connecting, the greeting with STARTTLS, a later silence. */
const PHASE_TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
} as const;
/**
 * Milliseconds that one message may take in total, including its wait for a connection. It also ends a server that
 * answers too slowly to ever finish.
 */
const ATTEMPT_TIMEOUT_MS = 300_000;
/** Maximum bytes of one answer, with any number of lines. */
const MAX_RESPONSE_BYTES = 64 * 1_024;

/** How a connection to a server is made and encrypted. */
export function connectionOptions({ host, port, tls, isLocal }: SmtpServer): SMTPConnection.Options {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' },
  };
}

export class SmtpTransport extends MailTransport {
  private readonly pool: SMTPPool;

  /** @param connections the maximum, if it should be lower than the server's. */
  constructor(
    server: SmtpServer,
    connections = server.connections,
    private readonly attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
  ) {
    super(server.name, Math.min(connections, server.connections));
    this.pool = new SMTPPool({
      ...connectionOptions(server),
      ...(server.credentials ? { auth: server.credentials } : {}),
      maxConnections: this.connections,
      maxMessages: server.messages,
      maxResponseSize: MAX_RESPONSE_BYTES,
      // Applies only to a message of which nothing was transmitted yet, on a connection that the server had closed in
      // the meantime.
      maxRequeues: 3,
      ...PHASE_TIMEOUTS_MS,
    });
  }

  override send({ envelope, raw }: OutgoingMail, signal?: AbortSignal): Promise<void> {
    let content: RawContent | undefined;
    const limit = startTimeLimit(this.attemptTimeoutMs, signal);
    const mail = {
      data: { signal: limit.signal },
      message: {
        getEnvelope: () => ({ from: envelope.from, to: [envelope.to] }),
        messageId: () => '',
        getHeader: () => '',
        createReadStream: () => {
          if (content?.readableDidRead)
            throw new Error('A message that was handed over must not be sent again.');
          return (content = new RawContent(raw));
        },
      },
    };
    return new Promise((resolve, reject) => {
      this.pool.send(mail as unknown as PoolMail, (error) => {
        limit.end();
        if (!error) {
          resolve();
          return;
        }
        const failed = classifySmtpError(error, content?.readableDidRead ?? false);
        reject(new TransportFailure(failed, smtpCodeOf(error), error));
      });
    });
  }

  override close(): void {
    this.pool.close({ force: true });
  }
}

/** The message as a stream that the connection reads from when the server is ready for it. */
class RawContent extends Readable {
  constructor(private readonly raw: Buffer) {
    super({ highWaterMark: raw.length });
  }

  override _read(): void {
    this.push(this.raw);
    this.push(null);
  }
}
