/** Dead letters with their GraphQL API. */
import { Module } from '@nestjs/common';
import { SetAsideService } from './application/set-aside.service.js';
import { SetAsideWorkResolver } from './graphql/set-aside-work.resolver.js';
import { SetAsideRepository } from './persistence/set-aside.repository.js';
import { SetAsideModule } from './set-aside.module.js';

@Module({ imports: [SetAsideModule], providers: [SetAsideRepository, SetAsideService, SetAsideWorkResolver] })
export class SetAsideApiModule {}
