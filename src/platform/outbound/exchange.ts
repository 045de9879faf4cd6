/**
 * One request to one address that was judged before, and its answer up to the end of the headers. The connection is its own
 * unless one is given; no proxy of the environment is asked, and no name is looked up.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError, type OutboundReason } from './outbound-error.js';
import type { Target } from './target.js';

/** Bytes of an answer's headers, and of its trailers. */
const LONGEST_HEADERS = 16_384;
/** Interim answers (1xx) before the one that counts. */
const MOST_INTERIM = 8;

export interface Exchange {
  readonly target: Target;
  /** The address to connect to. */
  readonly address: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Certificates that are trusted instead of those that are known. */
  readonly ca?: string;
  /** Keeps the connection where the answer is read to its end. */
  readonly agent?: http.Agent;
  /** Milliseconds for the connection. */
  readonly connectWithin?: number;
  /** Milliseconds in which nothing is heard. */
  readonly silence?: number;
  /** Ends the connection, whatever comes; the reason is an OutboundError. */
  readonly signal: AbortSignal;
}

/** An answer whose body is still to come; `end` ends the connection and has to be called. */
export interface OpenAnswer {
  readonly message: IncomingMessage;
  readonly end: () => void;
}

/** A connection that was kept turned out to have ended: nothing was heard over it. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

/**
 * @throws OutboundError connect_failed, where nothing was sent yet; tls_failed, bad_answer, and what `signal` says.
 * @throws StaleConnection
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
    maxHeaderSize: LONGEST_HEADERS,
    insecureHTTPParser: false,
    lookup: always(address),
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
    message = await answered(request, secure, body, connectWithin);
    return { message, end };
  } catch (error) {
    end();
    if (signal.aborted) throw signal.reason;
    throw error;
  }
}

function answered(
  request: http.ClientRequest,
  secure: boolean,
  body?: Buffer,
  connectWithin?: number,
): Promise<IncomingMessage> {
  let reached: OutboundReason = 'connect_failed';
  let interim = 0;
  const giveUp = (): void => {
    if (reached === 'connect_failed') request.destroy(new Error('The connection took too long.'));
  };
  const alarm = connectWithin === undefined ? undefined : setTimeout(giveUp, connectWithin);
  return new Promise<IncomingMessage>((resolve, reject) => {
    // It stays: an error behind the answer is seen where the body is read, and must not be one that nobody hears.
    request.on('error', (error) =>
      reject(
        request.reusedSocket && isHangUp(error)
          ? new StaleConnection(error.message)
          : error instanceof OutboundError
            ? error
            : new OutboundError(reached, error.message, { cause: error }),
      ),
    );
    request.once('socket', (socket) => {
      if (request.reusedSocket) {
        reached = 'bad_answer';
        return;
      }
      socket.once('connect', () => (reached = secure ? 'tls_failed' : 'bad_answer'));
      socket.once('secureConnect', () => (reached = 'bad_answer'));
    });
    request.on('information', () => {
      if (++interim > MOST_INTERIM) request.destroy(new Error('The server sent endless interim responses.'));
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new OutboundError('bad_answer', 'The response switches the protocol.'));
    });
    request.once('response', resolve);
    request.end(body);
  }).finally(() => clearTimeout(alarm));
}

function isHangUp(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Says the same address of every name. */
function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
