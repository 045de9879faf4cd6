/** The way a finished message takes out of the house; it has several forms (SMTP, nowhere). */
import type { Environment } from '../../../kernel/tenant-scope.js';

export interface OutgoingMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** The message as it goes over the wire, except for the doubling of leading dots. */
  readonly raw: Buffer;
}

/** An attempt that did not succeed. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  /** @param handedOver whether a byte of the message had been handed over when it failed. */
  constructor(
    override readonly cause: unknown,
    readonly handedOver: boolean,
  ) {
    super('The message was not accepted.');
  }
}

export abstract class MailTransport {
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
  /** The transport of an environment's mail: that of the test environment never leaves the sandbox. */
  abstract of(environment: Environment): MailTransport;
}
