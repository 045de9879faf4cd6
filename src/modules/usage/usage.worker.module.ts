/** The worker that notifies members of their plan's usage. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { NoticesModule } from '../notices/notices.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { UsageNotices } from './application/usage-notices.js';
import { FillingTenantsRepository } from './persistence/filling-tenants.repository.js';
import { UsageNoticeRepository } from './persistence/usage-notice.repository.js';
import { UsageProcessor } from './queue/usage.processor.js';
import { UsageStage } from './queue/usage.stage.js';
import { UsageModule } from './usage.module.js';

@Module({
  imports: [NoticesModule, UsageModule, WorkspacesModule],
  providers: [FillingTenantsRepository, UsageNoticeRepository, UsageNotices, UsageProcessor, UsageStage],
})
export class UsageWorkerModule {
  constructor(sweeper: Sweeper, stage: UsageStage) {
    sweeper.watch(stage);
  }
}
