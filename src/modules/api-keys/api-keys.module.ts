/** API keys: their form, their storage as digests, and their life. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ApiKeyService } from './application/api-key.service.js';
import { KeyHasher } from './application/key-hasher.js';
import { ApiKeyRepository } from './persistence/api-key.repository.js';

@Module({
  imports: [AuditModule],
  providers: [ApiKeyRepository, ApiKeyService, KeyHasher],
  exports: [ApiKeyService],
})
export class ApiKeysModule {}
