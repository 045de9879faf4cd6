/**
 * Who tells the people of a workspace that its mail does not, or soon will not, go from a domain any more. A port, since
 * domains know nothing of mail; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SendingDomain } from '../domain/sending-domain.js';

export abstract class DomainNews {
  /**
   * A domain that mail goes from is failing, or one that was verified is so no more. Heard in the transaction of the change.
   * @param reason what is wrong with its records, in a sentence; null where nothing is known.
   */
  abstract fallen(
    tx: Transaction,
    scope: WorkspaceScope,
    domain: Pick<SendingDomain, 'id' | 'domain' | 'status' | 'statusSince'>,
    reason: string | null,
  ): Promise<void>;
}
