/**
 * Fetches URLs that callers name, with SSRF protection: it reaches only the public internet. Every address is checked
 * when connecting, each redirect again, and time, bytes, redirects and connections are limited. Gate S9 of the product:
 * every URL that a tenant can name is fetched here.
 */
import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../network/networks.js';
import { AllowedHosts } from './allowed-hosts.js';
import { CODINGS, decodedBody } from './decoded-body.js';
import { exchange, StaleConnection, type Exchange } from './exchange.js';
import { ConnectionPool } from './connection-pool.js';
import { addressesOf, dnsLookup, mayConnect, type Lookup } from './name-service.js';
import { OutboundError, type Redirect } from './outbound-error.js';
import { readTarget, type Target } from './target.js';
import { TimeBudget } from './time-budget.js';
import { OUTBOUND_BOUNDS, type OutboundBounds, type Work, WorkLimiters } from './work.js';

const MEGABYTE = 1024 * 1024;

export interface OutboundSettings {
  /** In the format of DNS_SERVERS. */
  readonly dnsServers?: readonly string[];
  /** Replaces DNS. */
  readonly lookUp?: Lookup;
  /** Certificates to trust instead of the default ones. */
  readonly ca?: string;
  readonly bounds?: OutboundBounds;
}

export interface OutboundRequest {
  readonly address: string;
  /** The kind of work, whose limits apply; inspections by default. */
  readonly work?: Work;
  /** Whether to keep the connection for the owner's next such request to the same origin. Never for a POST. */
  readonly isKept?: boolean;
  /** Private hosts that may be fetched nevertheless; none by default. */
  readonly allowed?: AllowedHosts;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** Sent to the named host, and never to hosts that it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The Accept header; sent to every host. */
  readonly accept?: string;
  /** The body of a POST. */
  readonly body?: Buffer;
  /** Total milliseconds, including redirects and body. */
  readonly milliseconds?: number;
  /** Maximum milliseconds without data from the server; unlimited by default. */
  readonly mostSilence?: number;
  /** Maximum bytes of the decoded body. */
  readonly mostBytes?: number;
  /** Maximum redirects; those of a POST are never followed. */
  readonly mostRedirects?: number;
}

const REQUEST_BOUNDS = { milliseconds: 5_000, mostBytes: MEGABYTE, mostRedirects: 5 } as const;

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; values of repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The final URL. */
  readonly address: string;
  readonly redirects: readonly Redirect[];
}

/**
 * Reads as much of a body as it wants. The chunks throw OutboundError too_large after the limit. The reader is
 * abandoned if the time is up, so it must have no other effects.
 */
export type BodyReader<Body> = (pieces: AsyncIterable<Buffer>, answer: OutboundAnswer) => Promise<Body>;

const NONE_ALLOWED = new AllowedHosts([]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = 'Mozilla/5.0 (compatible; Waypost)';
/** Connection timeout in milliseconds, if the host has another address to try. */
const CONNECT_TIMEOUT_MS = 2_000;

/** The state of a request that stays the same over redirects. */
interface FetchContext<Body> {
  readonly owner: string;
  readonly request: OutboundRequest;
  readonly named: Target;
  readonly redirects: Redirect[];
  readonly time: TimeBudget;
  readonly signal: AbortSignal;
  readonly read: BodyReader<Body>;
}

type VisitResult<Body> =
  (OutboundAnswer & { readonly body: Body }) | { readonly location: string; readonly status: number };

export class GuardedFetch {
  private readonly lookUp: Lookup;
  private readonly ca: string | undefined;
  private readonly limiters: Readonly<Record<Work, WorkLimiters>>;
  private readonly pool = new ConnectionPool();
  private readonly shutdown = new AbortController();

  constructor(settings: OutboundSettings = {}) {
    const { inspections, calls, downloads } = settings.bounds ?? OUTBOUND_BOUNDS;
    this.lookUp = settings.lookUp ?? dnsLookup(settings.dnsServers ?? []);
    this.ca = settings.ca;
    this.limiters = {
      inspections: new WorkLimiters(inspections),
      calls: new WorkLimiters(calls),
      downloads: new WorkLimiters(downloads),
    };
    // Each request in progress adds a listener.
    setMaxListeners(0, this.shutdown.signal);
  }

  /**
   * Fetches a URL for an owner; owners take turns.
   * @param read reads the body.
   * @throws OutboundError with a reason and the redirects so far; apart from that only errors of `read`.
   */
  async fetch<Body>(
    owner: string,
    request: OutboundRequest,
    signal: AbortSignal,
    read: BodyReader<Body>,
  ): Promise<OutboundAnswer & { readonly body: Body }> {
    const redirects: Redirect[] = [];
    const time = new TimeBudget(request.milliseconds ?? REQUEST_BOUNDS.milliseconds);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    for (const each of [signal, this.shutdown.signal]) {
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
      for (const each of [signal, this.shutdown.signal]) each.removeEventListener('abort', end);
    }
  }

  /** Aborts all requests, current and future. */
  close(): void {
    this.shutdown.abort();
    this.pool.close();
  }

  private async follow<Body>(context: FetchContext<Body>): Promise<OutboundAnswer & { readonly body: Body }> {
    const { redirects, request } = context;
    const { mostRedirects = REQUEST_BOUNDS.mostRedirects } = request;
    for (let target = context.named; ;) {
      const visited = await this.visit(context, target);
      if (!('location' in visited)) return visited;
      const { location, status } = visited;
      const from = target.url.href;
      // If it cannot be parsed, report it as written.
      redirects.push({ from, to: location, status });
      target = readTarget(location, from);
      redirects.splice(-1, 1, { from, to: target.url.href, status });
      if (redirects.length > mostRedirects)
        throw new OutboundError('too_many_redirects', `There are more than ${mostRedirects} redirects.`);
    }
  }

  /** Sends the request to the address of a kept connection, or to the addresses that the host resolves to. */
  private async visit<Body>(context: FetchContext<Body>, target: Target): Promise<VisitResult<Body>> {
    const { owner, request } = context;
    const { allowed = NONE_ALLOWED } = request;
    const pooledAddress =
      usesKeepAlive(request) &&
      this.pool.addressOf(owner, target, (address) => mayConnect(target, address, allowed));
    if (pooledAddress)
      try {
        return await this.sendWithPermits(context, target, pooledAddress, undefined);
      } catch (error) {
        if (!isUnconnected(error)) throw error;
      }
    return this.visitResolved(context, target);
  }

  /** Resolves a host and sends the request to its first address that accepts a connection. */
  private async visitResolved<Body>(context: FetchContext<Body>, target: Target): Promise<VisitResult<Body>> {
    const { owner, request, time, signal } = context;
    const { allowed = NONE_ALLOWED, work = 'inspections' } = request;
    const find = (ending: AbortSignal): Promise<readonly string[]> =>
      addressesOf(target, allowed, this.lookUp, ending);
    const addresses = await this.limiters[work].names.run(owner, signal, () => time.spend(signal, find));
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      try {
        return await this.sendWithPermits(context, target, address, isLast ? undefined : CONNECT_TIMEOUT_MS);
      } catch (error) {
        if (isLast || !isUnconnected(error)) throw error;
      }
    }
    throw new OutboundError('connect_failed', `${target.host} has no address.`);
  }

  private sendWithPermits<Body>(
    context: FetchContext<Body>,
    target: Target,
    address: string,
    connectWithin: number | undefined,
  ): Promise<VisitResult<Body>> {
    const { owner, request, time, signal } = context;
    const { hosts, everything } = this.limiters[request.work ?? 'inspections'];
    const attempt = async (ending: AbortSignal): Promise<VisitResult<Body>> => {
      const options = {
        target,
        address,
        signal: ending,
        ...(connectWithin !== undefined && { connectWithin }),
      };
      if (!usesKeepAlive(request)) return this.send(context, options);
      const pooled = this.pool.acquire(owner, target, address);
      try {
        if (pooled) return await this.send(context, { ...options, agent: pooled.agent });
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
      }
      return this.send(context, { ...options, agent: this.pool.open(owner, target, address).agent });
    };
    return hosts.run(clientNetwork(address, '', []), owner, signal, () =>
      everything.run(owner, signal, () => time.spend(signal, attempt)),
    );
  }

  private async send<Body>(
    { request, named, redirects, read }: FetchContext<Body>,
    options: Pick<Exchange, 'target' | 'address' | 'signal' | 'agent' | 'connectWithin'>,
  ): Promise<VisitResult<Body>> {
    const { method = 'GET', body, accept = '*/*', headers, mostSilence: silence } = request;
    const { url } = options.target;
    const { message, end } = await exchange({
      ...{ ...options, method },
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

/** Whether to keep the connection. A request that is not safe to repeat is never sent over one that may be closed. */
function usesKeepAlive({ isKept = false, method }: OutboundRequest): boolean {
  return isKept && method !== 'POST';
}

function isUnconnected(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'connect_failed';
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}

/** Decodes a header that arrived as bytes. URLs beyond ASCII are UTF-8 or else Latin-1. */
function asUnicode(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
