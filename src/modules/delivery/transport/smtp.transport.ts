/**
 * SMTP by nodemailer's pool. The pool is spoken to directly, and not through nodemailer's mailer: the message is
 * finished already, and only so can it be seen whether a byte of it had been handed over when an attempt failed,
 * which decides whether it may be sent again.
 */
import { Readable } from 'node:stream';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import { MailTransport, TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';

type PoolMail = Parameters<SMTPPool['send']>[0];

export class SmtpTransport extends MailTransport {
  private readonly pool: SMTPPool;

  /**
   * @param url as SMTP_URL.
   * @param connections at most so many at a time.
   */
  constructor(url: string, connections: number) {
    super();
    this.pool = new SMTPPool({
      url,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
      // Only a message of which nothing was handed over yet, on a connection that the server had closed in between.
      maxRequeues: 3,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      dnsTimeout: 10_000,
      socketTimeout: 60_000,
    });
  }

  override send({ envelope, raw }: OutgoingMail, impatience?: AbortSignal): Promise<void> {
    let content: RawContent | undefined;
    const mail = {
      data: impatience ? { signal: impatience } : {},
      message: {
        getEnvelope: () => ({ from: envelope.from, to: [envelope.to] }),
        messageId: () => '',
        getHeader: () => '',
        createReadStream: () => {
          if (content?.readableDidRead)
            throw new Error('A message that was handed over must not be repeated.');
          return (content = new RawContent(raw));
        },
      },
    };
    return new Promise((resolve, reject) => {
      this.pool.send(mail as unknown as PoolMail, (error) => {
        if (error) reject(new TransportFailure(error, content?.readableDidRead ?? false));
        else resolve();
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
