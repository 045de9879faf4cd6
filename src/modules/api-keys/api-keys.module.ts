/** API keys: their format, their storage as digests, and their life cycle. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ApiKeyService } from './application/api-key.service.js';
import { KeyHasher } from './application/key-hasher.js';
import { KeyUses } from './application/key-uses.js';
import { ApiKeyUseRepository } from './persistence/api-key-use.repository.js';
import { ApiKeyRepository } from './persistence/api-key.repository.js';

@Module({
  imports: [AuditModule],
  providers: [ApiKeyRepository, ApiKeyUseRepository, ApiKeyService, KeyHasher, KeyUses],
  exports: [ApiKeyService, KeyUses],
})
export class ApiKeysModule {}
