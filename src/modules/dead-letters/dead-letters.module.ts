/** Dead-letters work that fails permanently. Every module that has a queue depends on this one. */
import { Module } from '@nestjs/common';
import { Batches } from './application/batches.js';
import { DeadLetterList } from './application/dead-letter-list.js';
import { InFlightWork } from './application/in-flight-work.js';
import { DeadLetterRepository } from './persistence/dead-letter.repository.js';
import { InFlightWorkRepository } from './persistence/in-flight-work.repository.js';

@Module({
  providers: [Batches, DeadLetterList, DeadLetterRepository, InFlightWork, InFlightWorkRepository],
  exports: [Batches, DeadLetterList],
})
export class DeadLettersModule {}
