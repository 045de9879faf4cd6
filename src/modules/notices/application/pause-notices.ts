/** Notifies the owner and the admins that promotional mail was paused automatically. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  PauseNotifications,
  type StartedPause,
} from '../../delivery/application/pause-notifications.port.js';
import type { PauseNotice } from '../domain/notice.js';
import { Notices } from './notices.js';

@Injectable()
export class PauseNotices extends PauseNotifications {
  constructor(private readonly notices: Notices) {
    super();
  }

  override async notifyPaused(
    tx: Transaction,
    scope: TenantScope,
    { id, reason, pausedAt, sent, bounced, complained }: StartedPause,
  ): Promise<void> {
    await this.notices.notifyManagers<PauseNotice>(
      tx,
      scope,
      { purpose: `pause:${id}`, subjectId: id, notice: { kind: 'pause', reason, sent, bounced, complained } },
      pausedAt,
    );
  }
}
