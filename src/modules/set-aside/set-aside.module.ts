/** Setting aside what fails for good: below every module that has a queue. */
import { Module } from '@nestjs/common';
import { Batches } from './application/batches.js';
import { SetAsideRepository } from './persistence/set-aside.repository.js';

@Module({ providers: [Batches, SetAsideRepository], exports: [Batches, SetAsideRepository] })
export class SetAsideModule {}
