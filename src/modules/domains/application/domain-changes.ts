/** Tells of every change of a domain in one form and in one place, from which whatever keeps a trail can take it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import type { DomainStatus, SendingDomain } from '../domain/sending-domain.js';

/** Who changes a domain where nobody asked for it: time, or the DNS. */
export const BY_ITSELF = 'system';

export interface DomainChange {
  readonly kind: 'added' | 'removed' | 'status_changed' | 'key_rotation_begun' | 'key_rotated';
  /** A member's id, or BY_ITSELF. */
  readonly actor: string;
  readonly domain: Pick<SendingDomain, 'id' | 'domain' | 'status'>;
  /** Of a change of status. */
  readonly formerStatus?: DomainStatus;
}

@Injectable()
export class DomainChanges {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Tells of a change once the transaction that made it is committed. */
  tell(tx: Transaction, { workspaceId }: WorkspaceScope, change: DomainChange): void {
    const { kind, actor, domain, formerStatus } = change;
    const subject = { domainId: domain.id, domain: domain.domain, status: domain.status };
    tx.afterCommit(() =>
      this.logger.info({ workspaceId, kind, actor, ...subject, formerStatus }, 'A sending domain changed'),
    );
  }
}
