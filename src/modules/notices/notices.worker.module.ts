/** The worker that sends the product's own mail. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { ProductMailModule } from '../delivery/product-mail.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { NoticeSender } from './application/notice-sender.js';
import { NoticesModule } from './notices.module.js';
import { DueNoticesRepository } from './persistence/due-notices.repository.js';
import { NoticeRepository } from './persistence/notice.repository.js';
import { NoticesProcessor } from './queue/notices.processor.js';
import { NoticesPoller } from './queue/notices.poller.js';

@Module({
  imports: [NoticesModule, ProductMailModule, DeadLettersModule],
  providers: [DueNoticesRepository, NoticeRepository, NoticeSender, NoticesProcessor, NoticesPoller],
})
export class NoticesWorkerModule {
  constructor(sweeper: Sweeper, poller: NoticesPoller) {
    sweeper.watch(poller);
  }
}
