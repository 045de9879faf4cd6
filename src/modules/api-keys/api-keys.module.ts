/** API keys: their form, their storage as digests, and their life. */
import { Module } from '@nestjs/common';
import { ApiKeyService } from './application/api-key.service.js';
import { KeyHasher } from './application/key-hasher.js';
import { ApiKeyRepository } from './persistence/api-key.repository.js';

@Module({ providers: [ApiKeyRepository, ApiKeyService, KeyHasher], exports: [ApiKeyService] })
export class ApiKeysModule {}
