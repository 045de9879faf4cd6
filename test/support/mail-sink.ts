/** A real SMTP server that stores what it receives. A test controls its answers, connection cuts and downtime. */
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

type Refusal = undefined | { readonly code: number; readonly text: string };

/** The server's answer to a whole message: undefined for 250, an SMTP error, or `drop` to cut the connection. */
export type Verdict = Refusal | 'drop' | 'accept-and-drop';

/** A connection that broke in DATA. */
export interface Cut {
  readonly to: string;
  /**
   * Before the server asked for the content; after part of it; or after all of it, which the server discarded or
   * stored.
   */
  readonly at: 'before' | 'midway' | 'dropped' | 'kept';
  /**
   * Whether it broke together with all others when the server went away. The client may then be further than recorded.
   */
  readonly isVanishing: boolean;
}

export class MailSink {
  readonly mails: ReceivedMail[] = [];
  /** Decides about each message; may be replaced at any time. */
  verdict: (mail: ReceivedMail) => Verdict = () => undefined;
  /** Decides about each recipient, before the content. */
  recipientVerdict: (address: string) => Refusal = () => undefined;
  /** Whether to cut the connection in DATA, before the whole message has arrived. */
  interruption: (address: string) => 'before' | 'midway' | undefined = () => undefined;
  /** The connections that the server cut in DATA. */
  readonly cuts: Cut[] = [];
  /** Milliseconds between receiving a message and answering. */
  delay: number | (() => number) = 0;
  private server: SMTPServer | undefined;
  /** Sessions in DATA without an answer so far, and their progress. */
  private readonly inData = new Map<SMTPServerSession, Cut['at']>();

  /** Starts on a free port, or on the given port. */
  static async start(port = 0): Promise<MailSink> {
    const sink = new MailSink();
    await sink.listen(port);
    return sink;
  }

  /** Forgets its messages, and accepts everything without delay again. */
  reset(): void {
    this.mails.length = 0;
    this.cuts.length = 0;
    this.verdict = () => undefined;
    this.recipientVerdict = () => undefined;
    this.interruption = () => undefined;
    this.delay = 0;
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

  /** Stops immediately and cuts every connection; `listen` starts it again. */
  async vanish(): Promise<void> {
    for (const session of [...this.inData.keys()]) this.cut(session, true);
    for (const connection of this.server?.connections ?? []) socketOf(connection).destroy();
    await this.stop();
  }

  async listen(port: number): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      // Milliseconds after which idle pooled connections are closed when the sink stops.
      closeTimeout: 500,
      onRcptTo: ({ address }, _session, callback) => {
        const refusal = this.recipientVerdict(address);
        callback(refusal && refused(refusal));
      },
      onData: (stream, session, callback) => {
        this.inData.set(session, 'before');
        const interruption = this.interruption(recipientOf(session));
        if (interruption === 'before') this.cut(session);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => {
          if (!this.inData.has(session)) return;
          this.inData.set(session, 'midway');
          chunks.push(chunk);
          if (interruption === 'midway') this.cut(session);
        });
        stream.on('end', () => {
          if (this.inData.has(session))
            this.receive(Buffer.concat(chunks).toString('utf8'), session, callback);
        });
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
    const isTaken = verdict === undefined || verdict === 'accept-and-drop';
    this.inData.set(session, isTaken ? 'kept' : 'dropped');
    if (isTaken) this.mails.push(mail);
    const answer = (error?: Error): void => {
      if (this.inData.delete(session)) callback(error);
    };
    if (verdict === 'drop' || verdict === 'accept-and-drop') this.cut(session);
    else if (verdict) answer(refused(verdict));
    else {
      const delay = typeof this.delay === 'number' ? this.delay : this.delay();
      if (delay > 0) setTimeout(answer, delay).unref();
      else answer();
    }
  }

  private cut(session: SMTPServerSession, isVanishing = false): void {
    this.cuts.push({ to: recipientOf(session), at: this.inData.get(session) ?? 'before', isVanishing });
    this.inData.delete(session);
    for (const connection of this.server?.connections ?? [])
      if ((connection as unknown as { id: string }).id === session.id) socketOf(connection).destroy();
  }
}

function recipientOf({ envelope }: SMTPServerSession): string {
  return envelope.rcptTo[0]?.address ?? '';
}

function socketOf(connection: unknown): { destroy(): void } {
  return (connection as { _socket: { destroy(): void } })._socket;
}

function refused({ code, text }: NonNullable<Refusal>): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
