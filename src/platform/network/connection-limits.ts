/**
 * Limits the duration and number of a listener's connections, so that a client cannot block it by sending nothing, by
 * sending slowly, or by never reading the response. docs/operations.md documents each limit.
 */
import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './networks.js';

export interface ConnectionLimits {
  /** Milliseconds from the start of a connection or request until its headers are complete. */
  readonly headersMs: number;
  /** Milliseconds from the start of a request until its body is complete. */
  readonly requestMs: number;
  /** Interval of the checks of those two, in milliseconds. */
  readonly checkEveryMs: number;
  /** A connection without traffic in either direction for this number of milliseconds is closed. */
  readonly idleMs: number;
  /** Maximum concurrent connections; further ones are closed when they arrive. */
  readonly maxConnections: number;
  /** The same per IPv4 address or IPv6 /64, unless it is a proxy's. */
  readonly maxPerAddress: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  checkEveryMs: 5_000,
  // As long as the reader of an export may pause.
  idleMs: 900_000,
  maxConnections: 10_000,
  maxPerAddress: 1_000,
};

/** The limits that Node's own HTTP server enforces, for its constructor. */
export function serverOptionsOf(bounds: ConnectionLimits): ServerOptions {
  return {
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: bounds.checkEveryMs,
  };
}

/**
 * Enforces the other limits on a server that does not listen yet.
 * @param isProxy whether an address is a proxy for many clients, to which only the total limit applies.
 */
export function limitConnections(
  server: Server,
  { idleMs, maxConnections: maxConnections, maxPerAddress: maxPerAddress }: ConnectionLimits,
  isProxy: (address: string) => boolean = () => false,
): void {
  const counts = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = clientNetwork(address, '', []);
    const count = (counts.get(network) ?? 0) + 1;
    if (count > maxPerAddress && !isProxy(address)) {
      socket.destroy();
      return;
    }
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}
