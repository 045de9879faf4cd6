/**
 * Notifies the members of a workspace that its mail is not, or soon will not be, sent from a domain. A port, since this
 * module does not know how to send mail; processes/bindings connects it.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SendingDomain } from '../domain/sending-domain.js';

export abstract class DomainNotifications {
  /**
   * Called when a domain in use starts to fail, or when a verified domain loses that status. Runs in the transaction of
   * the change.
   * @param reason what is wrong with its records, in a sentence; null if not known.
   */
  abstract notifyFailing(
    tx: Transaction,
    scope: WorkspaceScope,
    domain: Pick<SendingDomain, 'id' | 'domain' | 'status' | 'statusSince'>,
    reason: string | null,
  ): Promise<void>;
}
