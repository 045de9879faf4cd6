/** Where mail of the test environment goes when no mailbox runs ("Going live"): nowhere; it is logged all the same. */
import { MailTransport } from '../application/mail-transport.port.js';

export class NowhereTransport extends MailTransport {
  override async send(): Promise<void> {
    await Promise.resolve();
  }

  override close(): void {
    // There is nothing to end.
  }
}
