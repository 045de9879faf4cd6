/** Queues the product's own mail. */
import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CampaignNotices } from './application/campaign-notices.js';
import { DomainNotices } from './application/domain-notices.js';
import { InvitationNotices } from './application/invitation-notices.js';
import { Notices } from './application/notices.js';
import { PauseNotices } from './application/pause-notices.js';
import { QueuedNotices } from './application/queued-notices.js';
import { ReturnedNotices } from './application/returned-notices.js';
import { NoticeRepository } from './persistence/notice.repository.js';

const EXPORTED_PROVIDERS = [
  CampaignNotices,
  DomainNotices,
  InvitationNotices,
  Notices,
  PauseNotices,
  QueuedNotices,
  ReturnedNotices,
];

@Module({
  imports: [WorkspacesModule],
  providers: [NoticeRepository, ...EXPORTED_PROVIDERS],
  exports: EXPORTED_PROVIDERS,
})
export class NoticesModule {}
