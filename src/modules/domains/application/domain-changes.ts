/** Reports every change of a domain in one form and in one place: to the audit log and to the log of the process. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import type { DomainStatus, SendingDomain } from '../domain/sending-domain.js';

export interface DomainChange {
  readonly kind: 'added' | 'removed' | 'status_changed' | 'key_rotation_begun' | 'key_rotated';
  readonly author: Author;
  readonly domain: Pick<SendingDomain, 'id' | 'domain' | 'status'>;
  /** Set for a change of status. */
  readonly formerStatus?: DomainStatus;
}

@Injectable()
export class DomainChanges {
  constructor(
    private readonly audit: AuditLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records a change in the transaction that makes it, and logs it after the commit. */
  async report(tx: Transaction, scope: WorkspaceScope, change: DomainChange): Promise<void> {
    const { kind, author, domain, formerStatus } = change;
    const { workspaceId } = scope;
    const { id, domain: name, status } = domain;
    await this.audit.record(tx, scope, author, {
      action: `domain_${kind}`,
      subjectId: id,
      before: kind === 'added' ? null : { domain: name, status: formerStatus ?? status },
      after: kind === 'removed' ? null : { domain: name, status },
    });
    const subject = { domainId: id, domain: name, status };
    tx.afterCommit(() =>
      this.logger.info(
        { workspaceId, kind, actor: author.actor, ...subject, formerStatus },
        'A sending domain changed',
      ),
    );
  }
}
