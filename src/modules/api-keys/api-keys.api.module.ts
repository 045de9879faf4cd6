/** The dashboard API for API keys. */
import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys.module.js';
import { ApiKeyResolver } from './graphql/api-key.resolver.js';

@Module({ imports: [ApiKeysModule], providers: [ApiKeyResolver] })
export class ApiKeysApiModule {}
