/** The dashboard API of usage. */
import { Module } from '@nestjs/common';
import { UsageService } from './application/usage.service.js';
import { UsageResolver } from './graphql/usage.resolver.js';
import { UsageNoticeRepository } from './persistence/usage-notice.repository.js';
import { UsageModule } from './usage.module.js';

@Module({ imports: [UsageModule], providers: [UsageNoticeRepository, UsageResolver, UsageService] })
export class UsageApiModule {}
