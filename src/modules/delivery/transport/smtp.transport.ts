/**
 * SMTP by nodemailer's pool. The pool is spoken to directly, and not through nodemailer's mailer: the message is
 * finished already, and only so can it be seen whether a byte of it had been handed over when an attempt failed,
 * which decides whether it may be sent again. The pool writes every line break as CRLF and doubles leading dots, so that
 * no content can end a message and begin another.
 */
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SmtpServer } from '../../../platform/config/mail-transports.js';
import { MailTransport, TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';
import { classifySmtpError, smtpCodeOf } from '../domain/smtp-answer.js';
import { withinTime } from './within-time.js';

type PoolMail = Parameters<SMTPPool['send']>[0];

/** Milliseconds of each phase: looking the name up, connecting, the greeting with STARTTLS, a silence later on. */
const PHASES = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
} as const;
/** Milliseconds that one message may take in all, with its waiting for a connection: one that trickles is ended, too. */
const LONGEST_ATTEMPT = 300_000;
/** Bytes of one answer, of however many lines. */
const LONGEST_ANSWER = 64 * 1_024;

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

  /** @param connections fewer of them than the server is given in all, where that is wanted. */
  constructor(
    server: SmtpServer,
    connections = server.connections,
    private readonly patience = LONGEST_ATTEMPT,
  ) {
    super(server.name, Math.min(connections, server.connections));
    this.pool = new SMTPPool({
      ...connectionOptions(server),
      ...(server.credentials ? { auth: server.credentials } : {}),
      maxConnections: this.connections,
      maxMessages: server.messages,
      maxResponseSize: LONGEST_ANSWER,
      // Only a message of which nothing was handed over yet, on a connection that the server had closed in between.
      maxRequeues: 3,
      ...PHASES,
    });
  }

  override send({ envelope, raw }: OutgoingMail, impatience?: AbortSignal): Promise<void> {
    let content: RawContent | undefined;
    const time = withinTime(this.patience, impatience);
    const mail = {
      data: { signal: time.signal },
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
        time.end();
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

/** The message as the stream that the connection reads from once the server is ready for it. */
class RawContent extends Readable {
  constructor(private readonly raw: Buffer) {
    super({ highWaterMark: raw.length });
  }

  override _read(): void {
    this.push(this.raw);
    this.push(null);
  }
}
