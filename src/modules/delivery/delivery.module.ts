/** The ledger of messages: asking for messages and reading what became of them. */
import { Module } from '@nestjs/common';
import { EmailLogService } from './application/email-log.service.js';
import { EmailLogRepository } from './persistence/email-log.repository.js';

@Module({ providers: [EmailLogRepository, EmailLogService], exports: [EmailLogRepository, EmailLogService] })
export class DeliveryModule {}
