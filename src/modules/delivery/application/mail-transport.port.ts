/** The interface of transports, which deliver finished messages to the next server: SMTP, a provider's API, or none. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';

export interface OutgoingMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** The Message-ID. Repetitions keep it, so a provider can recognise them. */
  readonly messageId: string;
  /** The finished message. SMTP then writes line breaks as CRLF and doubles leading dots. */
  readonly raw: Buffer;
}

/** An attempt that did not succeed. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  /**
   * @param failed what the failure means for the message.
   * @param code safe to log: it contains no text of the server.
   */
  constructor(
    readonly failed: FailedAttempt,
    readonly code: string,
    override readonly cause: unknown,
  ) {
    super('The message was not accepted.');
  }
}

export abstract class MailTransport {
  /** @param connections how many messages the transport sends concurrently. */
  constructor(
    readonly name: string,
    readonly connections: number,
  ) {}

  /**
   * Resolves when the next server has accepted the message.
   * @param signal gives the message up when it aborts. A message that was not yet transmitted is then not sent
   * later. The sender passes none: it relies on the transport's own time limit.
   * @throws TransportFailure
   */
  abstract send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;

  /** Closes the connections. Does not wait for messages in flight. */
  abstract close(): void;
}

export abstract class MailTransports {
  /**
   * The transports of an environment in the operator's order. Mail of the test environment never leaves the sandbox.
   */
  abstract of(environment: Environment): readonly MailTransport[];
}
