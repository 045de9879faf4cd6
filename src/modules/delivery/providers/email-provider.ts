/** The interface of email providers with an HTTP API, webhooks, or both. Implementations are pure. */
import type { OutgoingMail } from '../application/mail-transport.port.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import type { HttpResponse } from '../domain/http-response.js';
import type { ProviderEvent } from '../domain/provider-event.js';

export interface ProviderRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Webhook {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it was received: signatures cover these bytes. */
  readonly body: Buffer;
}

export interface EmailProvider {
  readonly name: string;

  /** The headers that authenticate each request. */
  credentialHeaders(key: string): Readonly<Record<string, string>>;

  /** The request that sends a message. Each attempt at a message has the same request. */
  requestOf(mail: OutgoingMail): ProviderRequest;

  /** What the response means for a message that was transmitted completely; undefined if it was accepted. */
  failureOf(response: HttpResponse, recipient: string): FailedAttempt | undefined;

  /**
   * The id of a recent webhook that one of the keys has signed; undefined for any other.
   * @param now real time, in milliseconds.
   */
  verify(webhook: Webhook, keys: readonly Buffer[], now: number): string | undefined;

  /**
   * The events of a verified webhook; undefined if it is none of the provider's. Unexpected values are ignored.
   * @param id from `verify`.
   */
  readEvents(body: unknown, id: string): readonly ProviderEvent[] | undefined;
}
