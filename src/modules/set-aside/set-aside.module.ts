/** Dead-letters work that fails permanently. Every module that has a queue depends on this one. */
import { Module } from '@nestjs/common';
import { Batches } from './application/batches.js';
import { SetAsideList } from './application/set-aside-list.js';
import { WorkInHand } from './application/work-in-hand.js';
import { SetAsideRepository } from './persistence/set-aside.repository.js';
import { WorkInHandRepository } from './persistence/work-in-hand.repository.js';

@Module({
  providers: [Batches, SetAsideList, SetAsideRepository, WorkInHand, WorkInHandRepository],
  exports: [Batches, SetAsideList],
})
export class SetAsideModule {}
