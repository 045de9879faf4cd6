/**
 * Keep-alive connections for the next request of the same owner to the same origin. The address was checked when the
 * connection was opened and is checked again for each request, because what one request may reach another may not. They
 * are few and short-lived, and owners never share them.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Target } from './target.js';

/** Maximum idle milliseconds, less than servers usually allow. */
const MOST_IDLE = 4_000;
/** Maximum age in milliseconds, because names may resolve to other addresses later. */
const MOST_AGE = 60_000;
/** Maximum idle connections of a process. */
const MOST_KEPT = 100;

/** A route to one address. It holds at most one connection, which the first request opens. */
export interface Connection {
  /** The remote address. */
  readonly address: string;
  readonly agent: http.Agent;
}

interface Kept extends Connection {
  readonly key: string;
  /** Real time in milliseconds. */
  readonly opened: number;
  socket: Socket | undefined;
}

export class KeptConnections {
  private readonly idle = new Map<string, Set<Kept>>();
  private count = 0;
  private isClosed = false;

  /** A new route, which is kept when the response to its request has been read to its end. */
  open(owner: string, target: Target, address: string): Connection {
    const { Agent } = target.url.protocol === 'https:' ? https : http;
    // The timeout applies only while a connection is idle.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: MOST_IDLE });
    const kept: Kept = {
      ...{ address, agent, key: keyOf(owner, target) },
      ...{ opened: performance.now(), socket: undefined },
    };
    agent.on('free', (socket: Socket) => this.keep(kept, socket));
    return kept;
  }

  /**
   * An address with an open connection, which may be closed by the time it is used.
   * @param mayLeadTo checks the address for this request.
   */
  addressOf(owner: string, target: Target, mayLeadTo: (address: string) => boolean): string | undefined {
    for (const { address } of this.idle.get(keyOf(owner, target)) ?? [])
      if (mayLeadTo(address)) return address;
    return undefined;
  }

  /** Takes a connection to an address, if there is one. */
  take(owner: string, target: Target, address: string): Connection | undefined {
    for (const kept of this.idle.get(keyOf(owner, target)) ?? []) {
      if (kept.address !== address) continue;
      this.forget(kept);
      if (kept.socket && !kept.socket.destroyed) return kept;
    }
    return undefined;
  }

  /** Closes the kept connections, and keeps no more. */
  close(): void {
    this.isClosed = true;
    for (const each of [...this.idle.values()].flatMap((set) => [...set])) each.agent.destroy();
    this.idle.clear();
    this.count = 0;
  }

  private keep(kept: Kept, socket: Socket): void {
    const isOld = performance.now() - kept.opened > MOST_AGE;
    if (socket.destroyed || isOld || this.isClosed || this.count >= MOST_KEPT) {
      socket.destroy();
      return;
    }
    if (kept.socket !== socket) socket.once('close', () => this.forget(kept));
    kept.socket = socket;
    const others = this.idle.get(kept.key) ?? new Set();
    this.idle.set(kept.key, others.add(kept));
    this.count++;
  }

  private forget(kept: Kept): void {
    const others = this.idle.get(kept.key);
    if (!others?.delete(kept)) return;
    this.count--;
    if (others.size === 0) this.idle.delete(kept.key);
  }
}

function keyOf(owner: string, { url }: Target): string {
  return `${owner} ${url.origin}`;
}
