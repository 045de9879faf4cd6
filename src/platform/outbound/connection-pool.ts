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
const MAX_IDLE_MS = 4_000;
/** Maximum age in milliseconds, because names may resolve to other addresses later. */
const MAX_AGE_MS = 60_000;
/** Maximum idle connections of a process. */
const MAX_IDLE_CONNECTIONS = 100;

/** A route to one address. It holds at most one connection, which the first request opens. */
export interface Connection {
  /** The remote address. */
  readonly address: string;
  readonly agent: http.Agent;
}

interface PooledConnection extends Connection {
  readonly key: string;
  /** Real time in milliseconds. */
  readonly opened: number;
  socket: Socket | undefined;
}

export class ConnectionPool {
  private readonly idle = new Map<string, Set<PooledConnection>>();
  private count = 0;
  private isClosed = false;

  /** A new route, which is kept when the response to its request has been read to its end. */
  open(owner: string, target: Target, address: string): Connection {
    const { Agent } = target.url.protocol === 'https:' ? https : http;
    // The timeout applies only while a connection is idle.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: MAX_IDLE_MS });
    const pooled: PooledConnection = {
      ...{ address, agent, key: keyOf(owner, target) },
      ...{ opened: performance.now(), socket: undefined },
    };
    agent.on('free', (socket: Socket) => this.release(pooled, socket));
    return pooled;
  }

  /**
   * An address with an open connection, which may be closed by the time it is used.
   * @param mayConnect checks the address for this request.
   */
  addressOf(owner: string, target: Target, mayConnect: (address: string) => boolean): string | undefined {
    for (const { address } of this.idle.get(keyOf(owner, target)) ?? [])
      if (mayConnect(address)) return address;
    return undefined;
  }

  /** Takes a connection to an address, if there is one. */
  acquire(owner: string, target: Target, address: string): Connection | undefined {
    for (const pooled of this.idle.get(keyOf(owner, target)) ?? []) {
      if (pooled.address !== address) continue;
      this.remove(pooled);
      if (pooled.socket && !pooled.socket.destroyed) return pooled;
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

  private release(pooled: PooledConnection, socket: Socket): void {
    const isOld = performance.now() - pooled.opened > MAX_AGE_MS;
    if (socket.destroyed || isOld || this.isClosed || this.count >= MAX_IDLE_CONNECTIONS) {
      socket.destroy();
      return;
    }
    if (pooled.socket !== socket) socket.once('close', () => this.remove(pooled));
    pooled.socket = socket;
    const others = this.idle.get(pooled.key) ?? new Set();
    this.idle.set(pooled.key, others.add(pooled));
    this.count++;
  }

  private remove(pooled: PooledConnection): void {
    const others = this.idle.get(pooled.key);
    if (!others?.delete(pooled)) return;
    this.count--;
    if (others.size === 0) this.idle.delete(pooled.key);
  }
}

function keyOf(owner: string, { url }: Target): string {
  return `${owner} ${url.origin}`;
}
