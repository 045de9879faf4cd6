/** The worker that sends the product's own mail. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { ProductMailModule } from '../delivery/product-mail.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { NoticeSender } from './application/notice-sender.js';
import { NoticesModule } from './notices.module.js';
import { DueNoticesRepository } from './persistence/due-notices.repository.js';
import { NoticeRepository } from './persistence/notice.repository.js';
import { NoticesProcessor } from './queue/notices.processor.js';
import { NoticesStage } from './queue/notices.stage.js';

@Module({
  imports: [NoticesModule, ProductMailModule, SetAsideModule],
  providers: [DueNoticesRepository, NoticeRepository, NoticeSender, NoticesProcessor, NoticesStage],
})
export class NoticesWorkerModule {
  constructor(sweeper: Sweeper, stage: NoticesStage) {
    sweeper.watch(stage);
  }
}
