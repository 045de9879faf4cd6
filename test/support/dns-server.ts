/** A real DNS server on loopback with a zone that the test writes. Any resolver can query it over the network. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type Packet } from 'dns-packet';

/** Values of a TXT record, the single target of a CNAME, or the exchanges of an MX. */
type RecordKind = 'TXT' | 'CNAME' | 'MX';

const NOT_FOUND = 3;
const SERVER_FAILURE = 2;
/** The longest chain of aliases that is followed. */
const MOST_ALIASES = 5;

export class DnsServer {
  /** Queries received so far, as `TYPE name`. */
  readonly asked: string[] = [];
  /** While true, the server answers every query with a failure. */
  isFailing = false;
  private readonly zone = new Map<string, readonly string[]>();
  private held: { readonly most: number; readonly replies: (() => void)[] } | undefined;

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const server = new DnsServer(socket);
    socket.on('message', (message, peer) => server.answer(message, peer));
    return server;
  }

  /** In the format of DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  set(type: RecordKind, name: string, ...values: string[]): void {
    this.zone.set(keyOf(type, name), values);
  }

  remove(type: RecordKind, name: string): void {
    this.zone.delete(keyOf(type, name));
  }

  /**
   * Delays the answers to the next `most` queries. The answers are computed when the queries arrive.
   * @returns a function that sends them.
   */
  hold(most: number): () => void {
    const held = { most, replies: [] as (() => void)[] };
    this.held = held;
    return () => {
      this.held = undefined;
      for (const reply of held.replies) reply();
    };
  }

  /** The number of delayed answers. */
  get holding(): number {
    return this.held?.replies.length ?? 0;
  }

  /** A resolver that queries this server, in the form that libraries accept. */
  get resolver(): (name: string, type: string) => Promise<string[] | string[][]> {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([this.address]);
    return async (name, type) => (await resolver.resolve(name, type)) as string[] | string[][];
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answer(message: Buffer, peer: RemoteInfo): void {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (!question) return;
    const { name, type } = question;
    this.asked.push(keyOf(type, name));
    const answers = this.isFailing ? [] : this.answersTo(type, name);
    const isKnown = [...this.zone.keys()].some((key) => key.endsWith(` ${name.toLowerCase()}`));
    const code = this.isFailing ? SERVER_FAILURE : isKnown ? 0 : NOT_FOUND;
    const reply: Packet = {
      type: 'response',
      ...(query.id === undefined ? {} : { id: query.id }),
      flags: AUTHORITATIVE_ANSWER | code,
      questions: [question],
      answers,
    };
    const send = (): void => this.socket.send(encode(reply), peer.port, peer.address);
    if (this.held && this.holding < this.held.most) this.held.replies.push(send);
    else send();
  }

  private answersTo(type: string, name: string): Answer[] {
    const answers: Answer[] = [];
    let host = name;
    for (let aliases = 0; aliases < MOST_ALIASES; aliases++) {
      const values = this.zone.get(keyOf(type, host));
      if (values) return [...answers, ...values.map((value) => recordOf(type, host, value))];
      const [target] = this.zone.get(keyOf('CNAME', host)) ?? [];
      if (target === undefined) return answers;
      answers.push(recordOf('CNAME', host, target));
      host = target;
    }
    return answers;
  }
}

function keyOf(type: string, name: string): string {
  return `${type} ${name.toLowerCase()}`;
}

function recordOf(type: string, name: string, value: string): Answer {
  const common = { name, ttl: 60 };
  if (type === 'CNAME') return { ...common, type, data: value };
  if (type === 'MX') return { ...common, type, data: { preference: 10, exchange: value } };
  return { ...common, type: 'TXT', data: value.match(/.{1,255}/gs) ?? [''] };
}
