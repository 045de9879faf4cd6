/** Notifies the owner and the admins of a domain that can no longer send mail, or soon cannot: at most once a day. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { DomainNotifications } from '../../domains/application/domain-notifications.port.js';
import type { SendingDomain } from '../../domains/domain/sending-domain.js';
import type { DomainNotice } from '../domain/notice.js';
import { Notices } from './notices.js';

@Injectable()
export class DomainNotices extends DomainNotifications {
  constructor(
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async notifyFailing(
    tx: Transaction,
    scope: WorkspaceScope,
    { id, domain, status }: Pick<SendingDomain, 'id' | 'domain' | 'status'>,
    reason: string | null,
  ): Promise<void> {
    if (status !== 'failing' && status !== 'unverified') return;
    const now = this.clock.now();
    await this.notices.notifyManagers<DomainNotice>(
      tx,
      scope,
      {
        // DNS records that come and go within a day cause one notification.
        purpose: `domain:${id}:${status}:${now.toISOString().slice(0, 10)}`,
        subjectId: id,
        notice: { kind: 'domain', domain, status, reason: reason ?? '' },
      },
      now,
    );
  }
}
