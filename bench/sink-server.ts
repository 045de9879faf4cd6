/**
 * A mail server that accepts everything and stores nothing. It costs a sender as little as possible and supports
 * PIPELINING, so that only the sender is measured.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { answerQuestions } from './program.js';
import type { SinkQuestion, SinkReport } from './sink.js';

const DATA_END = Buffer.from('\r\n.\r\n');
const TAKEN = '250 2.0.0 taken\r\n';
const SAMPLE_EVERY = 500;

class Counters {
  mails = 0;
  firstAt = 0;
  lastAt = 0;
  bytes = 0;
  connections = 0;
  readonly recipients = new Map<string, number>();
  readonly samples: SinkReport['samples'][number][] = [];

  take(recipient: string, mail: Buffer): void {
    this.lastAt = Date.now();
    this.firstAt ||= this.lastAt;
    if (!this.recipients.has(recipient)) this.recipients.set(recipient, this.lastAt);
    if (this.mails++ % SAMPLE_EVERY === 0) this.samples.push({ recipient, raw: mail.toString('latin1') });
  }
}

let counters = new Counters();
/** Milliseconds before a mail is answered. */
let delay = 0;

/** The SMTP session of one client. */
class Session {
  private received: Buffer = Buffer.alloc(0);
  private inData = false;
  private recipient = '';

  constructor(private readonly socket: Socket) {
    counters.connections++;
    socket.setNoDelay(true).on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => socket.destroy());
    socket.write('220 sink ESMTP\r\n');
  }

  private read(chunk: Buffer): void {
    counters.bytes += chunk.length;
    this.received = this.received.length > 0 ? Buffer.concat([this.received, chunk]) : chunk;
    let answers = '';
    for (let answer = this.step(); answer !== undefined; answer = this.step()) answers += answer;
    if (answers !== '') this.socket.write(answers, 'latin1');
  }

  /** Consumes one command or one mail; returns undefined when none is complete. */
  private step(): string | undefined {
    return this.inData ? this.takeMail() : this.takeCommand();
  }

  private takeMail(): string | undefined {
    const end = this.received.indexOf(DATA_END);
    if (end < 0) return undefined;
    counters.take(this.recipient, this.received.subarray(0, end));
    this.received = this.received.subarray(end + DATA_END.length);
    this.inData = false;
    if (delay === 0) return TAKEN;
    setTimeout(() => this.socket.write(TAKEN, 'latin1'), delay);
    return '';
  }

  private takeCommand(): string | undefined {
    const end = this.received.indexOf('\r\n');
    if (end < 0) return undefined;
    const line = this.received.toString('latin1', 0, end);
    this.received = this.received.subarray(end + 2);
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 52428800\r\n';
      case 'RCPT':
        this.recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
        return '250 2.1.5 ok\r\n';
      case 'DATA':
        this.inData = true;
        return '354 go on\r\n';
      case 'QUIT':
        this.socket.end('221 2.0.0 bye\r\n');
        return undefined;
      default:
        return '250 2.0.0 ok\r\n';
    }
  }
}

const server = createServer((socket) => new Session(socket));

answerQuestions<SinkQuestion>(async (question) => {
  switch (question.kind) {
    case 'listen':
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { port: (server.address() as AddressInfo).port };
    case 'reset':
      counters = new Counters();
      delay = question.delay ?? 0;
      return undefined;
    case 'arrival':
      return counters.recipients.get(question.recipient) ?? null;
    case 'count':
      return counters.mails;
    case 'report': {
      const { mails, recipients, firstAt, lastAt, bytes, connections, samples } = counters;
      return {
        mails,
        recipients: recipients.size,
        firstAt,
        lastAt,
        bytes,
        connections,
        samples,
      } satisfies SinkReport;
    }
  }
});
