/** The list of suppressed addresses with its GraphQL interface. */
import { Module } from '@nestjs/common';
import { SuppressionsResolver } from './graphql/suppressions.resolver.js';
import { SuppressionsModule } from './suppressions.module.js';

@Module({ imports: [SuppressionsModule], providers: [SuppressionsResolver] })
export class SuppressionsApiModule {}
