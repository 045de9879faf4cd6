/** Notifies the owner and the admins that promotional mail was paused automatically. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PauseNews, type BegunPause } from '../../delivery/application/pause-news.port.js';
import type { PauseNotice } from '../domain/notice.js';
import { Notices } from './notices.js';

@Injectable()
export class PauseMails extends PauseNews {
  constructor(private readonly notices: Notices) {
    super();
  }

  override async paused(
    tx: Transaction,
    scope: TenantScope,
    { id, reason, pausedAt, sent, bounced, complained }: BegunPause,
  ): Promise<void> {
    await this.notices.tellManagers<PauseNotice>(
      tx,
      scope,
      { purpose: `pause:${id}`, subjectId: id, notice: { kind: 'pause', reason, sent, bounced, complained } },
      pausedAt,
    );
  }
}
