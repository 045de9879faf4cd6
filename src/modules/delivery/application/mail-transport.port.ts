/** The ways a finished message may take out of the house; they have several forms (SMTP, a provider's API, nowhere). */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';

export interface OutgoingMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** The Message-ID, which repetitions keep: a provider tells them by it. */
  readonly messageId: string;
  /** The message as it goes over the wire, except for the doubling of leading dots. */
  readonly raw: Buffer;
}

/** An attempt that did not succeed. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  /**
   * @param failed what it says of the message.
   * @param code fit for a log: it quotes nobody.
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
  /** @param connections messages that it takes at a time. */
  constructor(
    readonly name: string,
    readonly connections: number,
  ) {}

  /**
   * Resolves when the message has been accepted by the next server.
   * @param impatience gives the message up when it aborts; one that was not handed over is not sent later then.
   * @throws TransportFailure
   */
  abstract send(mail: OutgoingMail, impatience?: AbortSignal): Promise<void>;

  /** Ends connections; what is under way then is not waited for. */
  abstract close(): void;
}

export abstract class MailTransports {
  /** The ways out of an environment's mail in the operator's order: that of the test environment never leaves the sandbox. */
  abstract of(environment: Environment): readonly MailTransport[];
}
