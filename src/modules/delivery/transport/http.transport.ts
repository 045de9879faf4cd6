/** Posts finished messages to a provider's API. Redirects are not followed. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { HttpProvider } from '../../../platform/config/mail-transports.js';
import { MailTransport, TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import { MAX_RESPONSE_BYTES, type HttpResponse } from '../domain/http-response.js';
import type { EmailProvider } from '../providers/email-provider.js';
import { providerNamed } from '../providers/registry.js';
import { startTimeLimit, type TimeLimit } from './time-limit.js';

/** Milliseconds until the connection with TLS is established; milliseconds until the answer, from the start. */
const CONNECT_TIMEOUT_MS = 10_000;
const ATTEMPT_TIMEOUT_MS = 60_000;
/**
 * Milliseconds that an idle connection is kept open. It is shorter than servers' own limit, because they might close it
 * while it is being used.
 */
const IDLE_TIMEOUT_MS = 4_000;

export interface HttpTimeouts {
  readonly connectMs: number;
  readonly attemptMs: number;
}

export class HttpTransport extends MailTransport {
  private readonly url: URL;
  private readonly agent: HttpAgent;
  private readonly api: EmailProvider;
  private readonly credentials: Readonly<Record<string, string>>;
  private readonly inFlight = new Set<TimeLimit>();

  /** @param connections the maximum, if it should be lower than the provider's. */
  constructor(
    provider: HttpProvider,
    connections = provider.connections,
    private readonly timeouts: HttpTimeouts = {
      connectMs: CONNECT_TIMEOUT_MS,
      attemptMs: ATTEMPT_TIMEOUT_MS,
    },
  ) {
    super(provider.name, Math.min(connections, provider.connections));
    this.url = new URL(provider.url);
    this.api = providerNamed(provider.api);
    this.credentials = this.api.credentialHeaders(provider.key);
    const options = {
      keepAlive: true,
      maxSockets: this.connections,
      timeout: IDLE_TIMEOUT_MS,
      minVersion: 'TLSv1.2',
    } as const;
    this.agent = this.url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  override async send(mail: OutgoingMail, signal?: AbortSignal): Promise<void> {
    const limit = startTimeLimit(this.timeouts.attemptMs, signal);
    const state = { handedOver: false };
    this.inFlight.add(limit);
    let response: HttpResponse;
    try {
      response = await this.post(mail, limit.signal, state);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const kind = state.handedOver ? 'unknown_fate' : 'unreachable';
      throw new TransportFailure({ kind, detail }, codeOf(error), error);
    } finally {
      limit.end();
      this.inFlight.delete(limit);
    }
    const failed = this.api.failureOf(response, mail.envelope.to);
    if (failed) throw failureOf(failed, response);
  }

  override close(): void {
    for (const limit of this.inFlight) limit.abort();
    this.agent.destroy();
  }

  private post(
    mail: OutgoingMail,
    signal: AbortSignal,
    state: { handedOver: boolean },
  ): Promise<HttpResponse> {
    const { headers, body } = this.api.requestOf(mail);
    const isSecure = this.url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = (isSecure ? httpsRequest : httpRequest)(
        this.url,
        {
          method: 'POST',
          agent: this.agent,
          signal,
          headers: {
            ...this.credentials,
            ...headers,
            'content-length': body.length,
            accept: 'application/json',
            'user-agent': 'Waypost',
          },
        },
        (response) => {
          isAnswered = true;
          void readResponse(response).then(resolve, reject);
        },
      );
      // A request that waits for a connection does not report the abort by itself.
      signal.addEventListener('abort', () => {
        if (!isAnswered) reject(new Error('The provider did not answer in time.'));
      });
      request.on('error', (error) => {
        if (!isAnswered) reject(error);
      });
      this.onceConnected(request, isSecure, () => {
        state.handedOver = true;
        request.end(body);
      });
    });
  }

  /**
   * Writes nothing of a message before there is a connection, so a message that fails earlier has certainly not left.
   */
  private onceConnected(request: ClientRequest, isSecure: boolean, then: () => void): void {
    request.once('socket', (socket) => {
      if (!socket.connecting && request.reusedSocket) {
        then();
        return;
      }
      const timer = setTimeout(
        () =>
          request.destroy(
            Object.assign(new Error('The connection to the provider timed out.'), {
              code: 'ETIMEDOUT',
            }),
          ),
        this.timeouts.connectMs,
      );
      request.once('close', () => clearTimeout(timer));
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        then();
      });
    });
  }
}

/** The answer with the start of its body. The rest is not read. */
async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const status = response.statusCode ?? 0;
  const retryAfter = response.headers['retry-after'];
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status already says what happened to the message. Only the text of the answer is lost.
  }
  return { status, retryAfter, body: Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8') };
}

function failureOf(failed: FailedAttempt, { status }: HttpResponse): TransportFailure {
  return new TransportFailure(failed, `http_${status}`, undefined);
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'unknown';
}
