/** A real SMTP server that keeps what it is sent, and answers as a test tells it to. */
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly messageId: string;
  readonly receivedAt: number;
}

/** What the server answers to a whole message: nothing for 250, an SMTP error, or `drop` to cut the connection. */
export type Verdict =
  undefined | { readonly code: number; readonly text: string } | 'drop' | 'accept-and-drop';

export class MailSink {
  readonly mails: ReceivedMail[] = [];
  /** Decides about each message; may be replaced at any time. */
  verdict: (mail: ReceivedMail) => Verdict = () => undefined;
  /** Milliseconds after which it answers, having taken the message in. */
  delay = 0;
  private server: SMTPServer | undefined;

  /** Starts on a free port, or on the one given. */
  static async start(port = 0): Promise<MailSink> {
    const sink = new MailSink();
    await sink.listen(port);
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server?.server.address() as AddressInfo).port;
  }

  /** The messages sent to an address. */
  to(address: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to.includes(address));
  }

  static parse(mail: ReceivedMail): Promise<Email> {
    return PostalMime.parse(mail.raw);
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
  }

  async listen(port: number): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      // Milliseconds after which connections that idle in a pool are cut, when the sink stops.
      closeTimeout: 500,
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => this.receive(Buffer.concat(chunks).toString('utf8'), session, callback));
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.server = server;
  }

  private receive(raw: string, session: SMTPServerSession, callback: (error?: Error | null) => void): void {
    const { mailFrom, rcptTo } = session.envelope;
    const mail: ReceivedMail = {
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      raw,
      messageId: /^message-id:\s*(\S+)/im.exec(raw)?.[1] ?? '',
      receivedAt: Date.now(),
    };
    const verdict = this.verdict(mail);
    if (verdict === 'drop' || verdict === 'accept-and-drop') {
      if (verdict === 'accept-and-drop') this.mails.push(mail);
      this.cut(session);
      return;
    }
    if (verdict) {
      callback(Object.assign(new Error(verdict.text), { responseCode: verdict.code }));
      return;
    }
    this.mails.push(mail);
    if (this.delay > 0) setTimeout(callback, this.delay);
    else callback();
  }

  private cut(session: SMTPServerSession): void {
    for (const connection of this.server?.connections ?? []) {
      const { id, _socket: socket } = connection as unknown as { id: string; _socket: { destroy(): void } };
      if (id === session.id) socket.destroy();
    }
  }
}
