/**
 * A minimal HTTP/1.1 load generator. It uses raw keep-alive sockets and serialises requests before the start,
 * because it shares the processors with the service that it measures.
 */
import { connect, type Socket } from 'node:net';
import { KEY_MARK, makeBodies } from './bodies.js';
import type { LoadPlan, LoadReport } from './load.js';
import { percentile } from './measure.js';
import { answerQuestions } from './program.js';

const HEAD_END = '\r\n\r\n';
const LENGTH_HEADERS = ['content-length: ', 'Content-Length: '] as const;
/** How long to wait for the last answers after the load has ended. */
const TIMEOUT_MS = 20_000;

/** The next request of a connection, or why it does not send one now. */
type Next = { readonly request: Buffer; readonly dueAt: number } | 'later' | 'over';

answerQuestions<LoadPlan>(async (plan) => new Load(plan).run());

class Load {
  private readonly requests: readonly Buffer[];
  /** Positions in each request of the keys that must be unique. */
  private readonly keys: readonly (readonly number[])[];
  private lastKey = 0;
  private readonly begunAt: number;
  private readonly measureFrom: number;
  private readonly endAt: number;
  private sent = 0;
  private accepted = 0;
  private measured = 0;
  private readonly refused: Record<number, number> = {};
  private readonly latencies: number[] = [];
  private readonly idle: Connection[] = [];
  private clocks = { firstSent: 0, lastAnswered: 0 };

  constructor(private readonly plan: LoadPlan) {
    this.requests = makeBodies(plan.bodies).map((body) => serialise(plan, body));
    this.keys = this.requests.map(keyPlaces);
    const { pace } = plan;
    this.begunAt = performance.now();
    this.measureFrom = this.begunAt + (pace.kind === 'each once' ? 0 : pace.warmUpSeconds * 1_000);
    this.endAt =
      pace.kind === 'each once' ? Number.POSITIVE_INFINITY : this.measureFrom + pace.seconds * 1_000;
  }

  async run(): Promise<LoadReport> {
    const connections = Array.from(
      { length: this.plan.connections },
      () => new Connection(this, this.plan.port),
    );
    await Promise.all(connections.map((connection) => connection.opened));
    this.clocks.firstSent = Date.now();
    for (const connection of connections) connection.advance();
    const stopTicking = this.plan.pace.kind === 'open' ? this.tick() : undefined;
    const giveUp =
      this.endAt === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => connections.forEach((c) => c.drop()), this.endAt - performance.now() + TIMEOUT_MS);
    await Promise.all(connections.map((connection) => connection.finished));
    clearTimeout(giveUp);
    stopTicking?.();
    return this.report();
  }

  /** What a free connection sends next. */
  next(connection: Connection): Next {
    const now = performance.now();
    if (now >= this.endAt || (this.plan.pace.kind === 'each once' && this.sent >= this.requests.length))
      return 'over';
    const dueAt = this.dueAt(this.sent, now);
    if (dueAt > now) {
      this.idle.push(connection);
      return 'later';
    }
    const index = this.sent++ % this.requests.length;
    const request = this.requests[index] as Buffer;
    // There are more requests than connections, so the overwritten bytes have already been sent.
    for (const place of this.keys[index] ?? [])
      request.write(String(++this.lastKey).padStart(KEY_MARK.length, '0'), place, 'latin1');
    return { request, dueAt };
  }

  answered(status: number, dueAt: number): void {
    const now = performance.now();
    this.clocks.lastAnswered = Date.now();
    if (status === 202) this.accepted++;
    else this.refused[status] = (this.refused[status] ?? 0) + 1;
    if (now >= this.measureFrom && now < this.endAt) this.measured++;
    // Latency counts from the due time, so that late answers are included.
    if (dueAt >= this.measureFrom && dueAt < this.endAt) this.latencies.push(now - dueAt);
  }

  private dueAt(index: number, now: number): number {
    const { pace } = this.plan;
    return pace.kind === 'open' ? this.begunAt + (index * 1_000) / pace.perSecond : now;
  }

  private tick(): () => void {
    const timer = setInterval(() => {
      const now = performance.now();
      while (this.idle.length > 0 && (this.dueAt(this.sent, now) <= now || now >= this.endAt))
        this.idle.pop()?.advance();
    }, 1);
    return () => clearInterval(timer);
  }

  private report(): LoadReport {
    const sorted = Float64Array.from(this.latencies).sort();
    const seconds =
      this.plan.pace.kind === 'each once'
        ? (this.clocks.lastAnswered - this.clocks.firstSent) / 1_000
        : this.plan.pace.seconds;
    return {
      accepted: this.accepted,
      refused: this.refused,
      perSecond: this.measured / seconds,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      firstSentAt: this.clocks.firstSent,
      lastAnsweredAt: this.clocks.lastAnswered,
    };
  }
}

class Connection {
  readonly opened: Promise<void>;
  readonly finished: Promise<void>;
  private readonly socket: Socket;
  private finish: () => void = () => undefined;
  private received = '';
  private dueAt: number | undefined;

  constructor(
    private readonly load: Load,
    port: number,
  ) {
    this.finished = new Promise((resolve) => (this.finish = resolve));
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('connect', resolve).once('error', reject);
    });
    this.socket.setEncoding('latin1').on('data', (text: string) => this.read(text));
    this.socket.on('error', () => this.drop()).on('close', () => this.drop());
  }

  advance(): void {
    if (this.socket.destroyed) return;
    const next = this.load.next(this);
    if (next === 'over') this.drop();
    else if (next !== 'later') {
      this.dueAt = next.dueAt;
      this.socket.write(next.request);
    }
  }

  drop(): void {
    this.socket.destroy();
    if (this.dueAt !== undefined) this.load.answered(0, this.dueAt);
    this.dueAt = undefined;
    this.finish();
  }

  private read(text: string): void {
    this.received = this.received === '' ? text : this.received + text;
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = contentLength(this.received);
    // One request at a time: all received bytes belong to one answer.
    if (this.received.length < headEnd + HEAD_END.length + length) return;
    const status = Number(this.received.slice(9, 12));
    this.received = '';
    const { dueAt } = this;
    this.dueAt = undefined;
    if (dueAt !== undefined) this.load.answered(status, dueAt);
    this.advance();
  }
}

/** Uses plain searches: answers with many headers must not cost the generator more than answers with few. */
function contentLength(answer: string): number {
  for (const header of LENGTH_HEADERS) {
    const at = answer.indexOf(header);
    if (at >= 0) return Number.parseInt(answer.slice(at + header.length, at + header.length + 12), 10);
  }
  return 0;
}

function keyPlaces(request: Buffer): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(KEY_MARK); at >= 0; at = request.indexOf(KEY_MARK, at + KEY_MARK.length))
    places.push(at);
  return places;
}

function serialise({ path, port, headers }: LoadPlan, body: string): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
