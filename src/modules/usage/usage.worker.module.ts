/** The worker that notifies members of their plan's usage. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { NoticesModule } from '../notices/notices.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { UsageNotices } from './application/usage-notices.js';
import { TenantsOverThresholdRepository } from './persistence/tenants-over-threshold.repository.js';
import { UsageNoticeRepository } from './persistence/usage-notice.repository.js';
import { UsageProcessor } from './queue/usage.processor.js';
import { UsagePoller } from './queue/usage.poller.js';
import { UsageModule } from './usage.module.js';

@Module({
  imports: [NoticesModule, UsageModule, WorkspacesModule],
  providers: [
    TenantsOverThresholdRepository,
    UsageNoticeRepository,
    UsageNotices,
    UsageProcessor,
    UsagePoller,
  ],
})
export class UsageWorkerModule {
  constructor(sweeper: Sweeper, poller: UsagePoller) {
    sweeper.watch(poller);
  }
}
