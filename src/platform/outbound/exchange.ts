/**
 * Sends one request to one address that was checked before, and receives the response headers. Uses its own connection
 * unless an agent is given. Ignores proxy settings of the environment and resolves no names.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError, type OutboundReason } from './outbound-error.js';
import type { Target } from './target.js';

/** Maximum bytes of a response's headers, and of its trailers. */
const MAX_HEADER_BYTES = 16_384;
/** Maximum interim responses (1xx) before the final one. */
const MAX_INTERIM_RESPONSES = 8;

export interface Exchange {
  readonly target: Target;
  /** The address to connect to. */
  readonly address: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Certificates to trust instead of the default ones. */
  readonly ca?: string;
  /** Keeps the connection if the response is read to its end. */
  readonly agent?: http.Agent;
  /** Connection timeout in milliseconds. */
  readonly connectWithin?: number;
  /** Maximum milliseconds without data from the server. */
  readonly silence?: number;
  /** Closes the connection in any state. The reason is an OutboundError. */
  readonly signal: AbortSignal;
}

/** A response whose body has not been read. `end` closes the connection and must be called. */
export interface OpenAnswer {
  readonly message: IncomingMessage;
  readonly end: () => void;
}

/** A kept connection turned out to be closed: it received no response. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

/**
 * @throws OutboundError connect_failed if nothing was sent yet; tls_failed, bad_answer, and the reason of `signal`.
 * @throws StaleConnection if a kept connection was closed.
 */
export async function exchange(order: Exchange): Promise<OpenAnswer> {
  const { target, address, method, headers, body, ca, agent, connectWithin, silence, signal } = order;
  if (signal.aborted) throw signal.reason;
  const secure = target.url.protocol === 'https:';
  const request = (secure ? https : http).request({
    agent: agent ?? false,
    host: target.host,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    method,
    headers: { ...headers, host: target.url.host, ...(body && { 'content-length': String(body.length) }) },
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    lookup: fixedLookup(address),
    ...(secure && { servername: isIP(target.host) > 0 ? '' : target.host, ca }),
  });
  let message: IncomingMessage | undefined;
  const end = (): void => {
    signal.removeEventListener('abort', end);
    if (agent && message?.complete && message.readableEnded && !signal.aborted) return;
    request.destroy(signal.aborted ? (signal.reason as Error) : undefined);
  };
  signal.addEventListener('abort', end);
  if (silence !== undefined)
    request.setTimeout(silence, () =>
      (message ?? request).destroy(new OutboundError('timeout', 'The connection went silent.')),
    );
  try {
    message = await responseTo(request, secure, body, connectWithin);
    return { message, end };
  } catch (error) {
    end();
    if (signal.aborted) throw signal.reason;
    throw error;
  }
}

function responseTo(
  request: http.ClientRequest,
  secure: boolean,
  body?: Buffer,
  connectWithin?: number,
): Promise<IncomingMessage> {
  let failureReason: OutboundReason = 'connect_failed';
  let interim = 0;
  const timeOut = (): void => {
    if (failureReason === 'connect_failed') request.destroy(new Error('The connection took too long.'));
  };
  const timer = connectWithin === undefined ? undefined : setTimeout(timeOut, connectWithin);
  return new Promise<IncomingMessage>((resolve, reject) => {
    // Keep the handler: an error after the headers is reported where the body is read, and must not be an unhandled
    // event.
    request.on('error', (error) =>
      reject(
        request.reusedSocket && isHangUp(error)
          ? new StaleConnection(error.message)
          : error instanceof OutboundError
            ? error
            : new OutboundError(failureReason, error.message, { cause: error }),
      ),
    );
    request.once('socket', (socket) => {
      if (request.reusedSocket) {
        failureReason = 'bad_answer';
        return;
      }
      socket.once('connect', () => (failureReason = secure ? 'tls_failed' : 'bad_answer'));
      socket.once('secureConnect', () => (failureReason = 'bad_answer'));
    });
    request.on('information', () => {
      if (++interim > MAX_INTERIM_RESPONSES)
        request.destroy(new Error('The server sent endless interim responses.'));
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new OutboundError('bad_answer', 'The response switches the protocol.'));
    });
    request.once('response', resolve);
    request.end(body);
  }).finally(() => clearTimeout(timer));
}

function isHangUp(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Resolves every name to the same address. */
function fixedLookup(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
