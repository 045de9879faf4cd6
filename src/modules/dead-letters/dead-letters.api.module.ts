/** Dead letters with their GraphQL API. */
import { Module } from '@nestjs/common';
import { DeadLetterService } from './application/dead-letter.service.js';
import { DeadLetterResolver } from './graphql/dead-letter.resolver.js';
import { DeadLetterRepository } from './persistence/dead-letter.repository.js';
import { DeadLettersModule } from './dead-letters.module.js';

@Module({
  imports: [DeadLettersModule],
  providers: [DeadLetterRepository, DeadLetterService, DeadLetterResolver],
})
export class DeadLettersApiModule {}
