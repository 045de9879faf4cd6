/** Erases personal data from messages. */
import { Module } from '@nestjs/common';
import { EmailErasure } from './application/email-erasure.js';
import { EmailErasureRepository } from './persistence/email-erasure.repository.js';

@Module({ providers: [EmailErasure, EmailErasureRepository], exports: [EmailErasure] })
export class EmailErasureModule {}
