/**
 * The transport for mail of the test environment when no mailbox runs ("Going live"): it delivers nothing, but mail is
 * logged as usual.
 */
import { MAX_CONNECTIONS, SANDBOX_NAME } from '../../../platform/config/mail-transports.js';
import { MailTransport } from '../application/mail-transport.port.js';

export class DiscardTransport extends MailTransport {
  constructor() {
    super(SANDBOX_NAME, MAX_CONNECTIONS);
  }

  override async send(): Promise<void> {
    await Promise.resolve();
  }

  override close(): void {
    // There is nothing to close.
  }
}
