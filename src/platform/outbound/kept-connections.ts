/**
 * Connections that stay open for the next request of the same owner to the same origin. Where one leads to was judged when
 * it was opened and is judged anew for the request that takes it: what was allowed to one is not to another. They are few
 * and short-lived, and no owner is ever given another's.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Target } from './target.js';

/** Milliseconds that one stays open with nothing to do, less than servers have them stay. */
const MOST_IDLE = 4_000;
/** Milliseconds after which one is not kept any more: names lead elsewhere in time. */
const MOST_AGE = 60_000;
/** Connections of a process that stay open with nothing to do. */
const MOST_KEPT = 100;

/** A way to one address: it holds one connection at most, which is opened by the request that needs it. */
export interface Connection {
  /** Where it leads. */
  readonly address: string;
  readonly agent: http.Agent;
}

interface Kept extends Connection {
  readonly key: string;
  /** Of real time, in milliseconds. */
  readonly opened: number;
  socket: Socket | undefined;
}

export class KeptConnections {
  private readonly idle = new Map<string, Set<Kept>>();
  private count = 0;
  private isClosed = false;

  /** A new one, which is kept when the answer to its request has been read to its end. */
  open(owner: string, target: Target, address: string): Connection {
    const { Agent } = target.url.protocol === 'https:' ? https : http;
    // The time counts where a connection is idle alone.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: MOST_IDLE });
    const kept: Kept = {
      ...{ address, agent, key: keyOf(owner, target) },
      ...{ opened: performance.now(), socket: undefined },
    };
    agent.on('free', (socket: Socket) => this.keep(kept, socket));
    return kept;
  }

  /**
   * An address to which one is open; it may be gone when it is asked for.
   * @param mayLeadTo judges an address for the request that asks.
   */
  addressOf(owner: string, target: Target, mayLeadTo: (address: string) => boolean): string | undefined {
    for (const { address } of this.idle.get(keyOf(owner, target)) ?? [])
      if (mayLeadTo(address)) return address;
    return undefined;
  }

  /** Takes one that leads to an address, where there is one. */
  take(owner: string, target: Target, address: string): Connection | undefined {
    for (const kept of this.idle.get(keyOf(owner, target)) ?? []) {
      if (kept.address !== address) continue;
      this.forget(kept);
      if (kept.socket && !kept.socket.destroyed) return kept;
    }
    return undefined;
  }

  /** Ends those that are kept, and keeps none any more. */
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
