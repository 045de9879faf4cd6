/**
 * How long and how many connections a listener bears, so that nobody occupies it by saying nothing, by speaking
 * slowly, or by never reading the answer. docs/operations.md tells operators of each bound.
 */
import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './networks.js';

export interface ConnectionBounds {
  /** Milliseconds from a connection's or a request's beginning until its headers have come. */
  readonly headersMs: number;
  /** Milliseconds from a request's beginning until its body has come. */
  readonly requestMs: number;
  /** How often those two are looked after, in milliseconds. */
  readonly checkEveryMs: number;
  /** A connection on which nothing moves in either direction for so many milliseconds is cut. */
  readonly idleMs: number;
  /** Connections at once; further ones are cut when they come. */
  readonly most: number;
  /** The same of one IPv4 address or one household of IPv6, unless it is a proxy's. */
  readonly mostOfAddress: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = {
  headersMs: 15_000,
  requestMs: 30_000,
  checkEveryMs: 5_000,
  // As long as the reader of an export may take nothing.
  idleMs: 900_000,
  most: 10_000,
  mostOfAddress: 1_000,
};

/** The bounds that Node's own HTTP server keeps, for its making. */
export function serverOptionsOf(bounds: ConnectionBounds): ServerOptions {
  return {
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: bounds.checkEveryMs,
  };
}

/**
 * Keeps the other bounds of a server that does not listen yet.
 * @param isProxy whether an address speaks for many; it may hold as many connections as there are.
 */
export function boundConnections(
  server: Server,
  { idleMs, most, mostOfAddress }: ConnectionBounds,
  isProxy: (address: string) => boolean = () => false,
): void {
  const held = new Map<string, number>();
  server.maxConnections = most;
  server.timeout = idleMs;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = clientNetwork(address, '', []);
    const count = (held.get(network) ?? 0) + 1;
    if (count > mostOfAddress && !isProxy(address)) {
      socket.destroy();
      return;
    }
    held.set(network, count);
    socket.once('close', () => {
      const left = (held.get(network) ?? 0) - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
  });
}
