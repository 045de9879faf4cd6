/**
 * Fetches addresses that callers name, and reaches nothing by it that the public internet does not: every address is judged at
 * the moment of connecting, each redirect anew, and time, bytes, redirects and the number of connections have bounds. Gate S9
 * of the product: whatever a tenant can name goes through here.
 */
import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../network/networks.js';
import { AllowedHosts } from './allowed-hosts.js';
import { CODINGS, decodedBody } from './decoded-body.js';
import { exchange, StaleConnection, type Exchange } from './exchange.js';
import { KeptConnections } from './kept-connections.js';
import { addressesOf, dnsLookup, mayConnect, type Lookup } from './name-service.js';
import { OutboundError, type Redirect } from './outbound-error.js';
import { readTarget, type Target } from './target.js';
import { TimeLeft } from './time-left.js';
import { OUTBOUND_BOUNDS, type OutboundBounds, type Work, WorkLines } from './work.js';

const MEGABYTE = 1024 * 1024;

export interface OutboundSettings {
  /** As DNS_SERVERS has them. */
  readonly dnsServers?: readonly string[];
  /** Takes the place of the DNS. */
  readonly lookUp?: Lookup;
  /** Certificates that are trusted instead of those that are known. */
  readonly ca?: string;
  readonly bounds?: OutboundBounds;
}

export interface OutboundRequest {
  readonly address: string;
  /** In whose line it stands; inspections where it is not given. */
  readonly work?: Work;
  /** Whether the connection stays for the owner's next request that has it so, to the same origin. That of a POST never does. */
  readonly isKept?: boolean;
  /** Private hosts that may be fetched all the same; none where it is not given. */
  readonly allowed?: AllowedHosts;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** They go to the host that was named and to none that it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is wanted, as Accept has it; said to every host. */
  readonly accept?: string;
  /** Of a POST. */
  readonly body?: Buffer;
  /** Milliseconds for all of it, redirects and body too. */
  readonly milliseconds?: number;
  /** Milliseconds in which nothing is heard; no bound of its own where it is not given. */
  readonly mostSilence?: number;
  /** Bytes of the body, decoded. */
  readonly mostBytes?: number;
  /** Redirects that are followed; those of a POST never are. */
  readonly mostRedirects?: number;
}

const REQUEST_BOUNDS = { milliseconds: 5_000, mostBytes: MEGABYTE, mostRedirects: 5 } as const;

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; of a name that came twice, the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from in the end. */
  readonly address: string;
  readonly redirects: readonly Redirect[];
}

/**
 * Reads a body, as far as it wants to. The pieces throw OutboundError too_large behind what has room.
 * It is given up where the time is used up: what it does besides must not matter then.
 */
export type BodyReader<Body> = (pieces: AsyncIterable<Buffer>, answer: OutboundAnswer) => Promise<Body>;

const NONE_ALLOWED = new AllowedHosts([]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = 'Mozilla/5.0 (compatible; Waypost)';
/** Milliseconds for a connection, where the host has another address to try. */
const CONNECT_WITHIN = 2_000;

/** What stays the same over the redirects of a request. */
interface Errand<Body> {
  readonly owner: string;
  readonly request: OutboundRequest;
  readonly named: Target;
  readonly redirects: Redirect[];
  readonly time: TimeLeft;
  readonly signal: AbortSignal;
  readonly read: BodyReader<Body>;
}

type Visited<Body> =
  (OutboundAnswer & { readonly body: Body }) | { readonly location: string; readonly status: number };

export class GuardedFetch {
  private readonly lookUp: Lookup;
  private readonly ca: string | undefined;
  private readonly lines: Readonly<Record<Work, WorkLines>>;
  private readonly kept = new KeptConnections();
  private readonly closing = new AbortController();

  constructor(settings: OutboundSettings = {}) {
    const { inspections, calls, downloads } = settings.bounds ?? OUTBOUND_BOUNDS;
    this.lookUp = settings.lookUp ?? dnsLookup(settings.dnsServers ?? []);
    this.ca = settings.ca;
    this.lines = {
      inspections: new WorkLines(inspections),
      calls: new WorkLines(calls),
      downloads: new WorkLines(downloads),
    };
    // Each request under way listens.
    setMaxListeners(0, this.closing.signal);
  }

  /**
   * Fetches an address for an owner; owners take turns.
   * @param read what is made of the body.
   * @throws OutboundError with a reason and the redirects so far, and nothing else but what `read` throws.
   */
  async fetch<Body>(
    owner: string,
    request: OutboundRequest,
    signal: AbortSignal,
    read: BodyReader<Body>,
  ): Promise<OutboundAnswer & { readonly body: Body }> {
    const redirects: Redirect[] = [];
    const time = new TimeLeft(request.milliseconds ?? REQUEST_BOUNDS.milliseconds);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    for (const each of [signal, this.closing.signal]) {
      each.addEventListener('abort', end);
      if (each.aborted) end();
    }
    try {
      const named = readTarget(request.address);
      return await this.follow({ owner, request, named, redirects, time, signal: ending.signal, read });
    } catch (error) {
      if (error instanceof OutboundError) error.redirects = redirects;
      throw error;
    } finally {
      for (const each of [signal, this.closing.signal]) each.removeEventListener('abort', end);
    }
  }

  /** Ends all requests; those to come are aborted. */
  close(): void {
    this.closing.abort();
    this.kept.close();
  }

  private async follow<Body>(errand: Errand<Body>): Promise<OutboundAnswer & { readonly body: Body }> {
    const { redirects, request } = errand;
    const { mostRedirects = REQUEST_BOUNDS.mostRedirects } = request;
    for (let target = errand.named; ;) {
      const visited = await this.visit(errand, target);
      if (!('location' in visited)) return visited;
      const { location, status } = visited;
      const from = target.url.href;
      // Told as it was written where it cannot be read.
      redirects.push({ from, to: location, status });
      target = readTarget(location, from);
      redirects.splice(-1, 1, { from, to: target.url.href, status });
      if (redirects.length > mostRedirects)
        throw new OutboundError('too_many_redirects', `There are more than ${mostRedirects} redirects.`);
    }
  }

  /** Asks a host at the address to which a connection was kept, or at those that it has. */
  private async visit<Body>(errand: Errand<Body>, target: Target): Promise<Visited<Body>> {
    const { owner, request } = errand;
    const { allowed = NONE_ALLOWED } = request;
    const known =
      keeps(request) && this.kept.addressOf(owner, target, (address) => mayConnect(target, address, allowed));
    if (known)
      try {
        return await this.askInTurn(errand, target, known, undefined);
      } catch (error) {
        if (!isUnconnected(error)) throw error;
      }
    return this.visitAnew(errand, target);
  }

  /** Looks a host up and asks it, at one address after the other until one of them can be connected to. */
  private async visitAnew<Body>(errand: Errand<Body>, target: Target): Promise<Visited<Body>> {
    const { owner, request, time, signal } = errand;
    const { allowed = NONE_ALLOWED, work = 'inspections' } = request;
    const find = (ending: AbortSignal): Promise<readonly string[]> =>
      addressesOf(target, allowed, this.lookUp, ending);
    const turn = this.lines[work].names.turn(owner, signal);
    const addresses = await inTurn(turn, () => time.spend(signal, find));
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      try {
        return await this.askInTurn(errand, target, address, isLast ? undefined : CONNECT_WITHIN);
      } catch (error) {
        if (isLast || !isUnconnected(error)) throw error;
      }
    }
    throw new OutboundError('connect_failed', `${target.host} has no address.`);
  }

  private askInTurn<Body>(
    errand: Errand<Body>,
    target: Target,
    address: string,
    connectWithin: number | undefined,
  ): Promise<Visited<Body>> {
    const { owner, request, time, signal } = errand;
    const { hosts, everything } = this.lines[request.work ?? 'inspections'];
    const ask = async (ending: AbortSignal): Promise<Visited<Body>> => {
      const order = {
        target,
        address,
        signal: ending,
        ...(connectWithin !== undefined && { connectWithin }),
      };
      if (!keeps(request)) return this.ask(errand, order);
      const kept = this.kept.take(owner, target, address);
      try {
        if (kept) return await this.ask(errand, { ...order, agent: kept.agent });
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
      }
      return this.ask(errand, { ...order, agent: this.kept.open(owner, target, address).agent });
    };
    return inTurn(hosts.turn(clientNetwork(address, '', []), owner, signal), () =>
      inTurn(everything.turn(owner, signal), () => time.spend(signal, ask)),
    );
  }

  private async ask<Body>(
    { request, named, redirects, read }: Errand<Body>,
    order: Pick<Exchange, 'target' | 'address' | 'signal' | 'agent' | 'connectWithin'>,
  ): Promise<Visited<Body>> {
    const { method = 'GET', body, accept = '*/*', headers, mostSilence: silence } = request;
    const { url } = order.target;
    const { message, end } = await exchange({
      ...{ ...order, method },
      headers: {
        'user-agent': USER_AGENT,
        accept,
        'accept-encoding': CODINGS,
        ...(url.origin === named.url.origin && headers),
      },
      ...(body && { body }),
      ...(this.ca !== undefined && { ca: this.ca }),
      ...(silence !== undefined && { silence }),
    });
    try {
      const status = message.statusCode ?? 0;
      const { location } = message.headers;
      if (REDIRECTS.has(status) && location !== undefined && method !== 'POST')
        return { location: asUnicode(location), status };
      const answer = { status, headers: headersOf(message), address: url.href, redirects };
      const pieces = decodedBody(message, request.mostBytes ?? REQUEST_BOUNDS.mostBytes);
      return { ...answer, body: await read(pieces, answer) };
    } finally {
      end();
    }
  }
}

/** Whether its connection stays: what is not repeated without harm is not sent over one that may have ended. */
function keeps({ isKept = false, method }: OutboundRequest): boolean {
  return isKept && method !== 'POST';
}

function isUnconnected(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'connect_failed';
}

/** Does something while it is one's turn. */
async function inTurn<Result>(turn: Promise<() => void>, work: () => Promise<Result>): Promise<Result> {
  const leave = await turn;
  try {
    return await work();
  } finally {
    leave();
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}

/** Headers come as bytes; addresses beyond ASCII are written in UTF-8, or else byte by byte. */
function asUnicode(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
