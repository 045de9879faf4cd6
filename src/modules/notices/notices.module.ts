/** Queues the product's own mail. */
import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CampaignMails } from './application/campaign-mails.js';
import { DomainMails } from './application/domain-mails.js';
import { InvitationMails } from './application/invitation-mails.js';
import { Notices } from './application/notices.js';
import { PauseMails } from './application/pause-mails.js';
import { QueuedNotices } from './application/queued-notices.js';
import { ReturnedNotices } from './application/returned-notices.js';
import { NoticeRepository } from './persistence/notice.repository.js';

const OFFERED = [
  CampaignMails,
  DomainMails,
  InvitationMails,
  Notices,
  PauseMails,
  QueuedNotices,
  ReturnedNotices,
];

@Module({
  imports: [WorkspacesModule],
  providers: [NoticeRepository, ...OFFERED],
  exports: OFFERED,
})
export class NoticesModule {}
