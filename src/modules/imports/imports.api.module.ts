/** Migrations with their faces. */
import { Module } from '@nestjs/common';
import { MigrationsResolver } from './graphql/migrations.resolver.js';
import { MigrationsController } from './http/migrations.controller.js';
import { ImportsModule } from './imports.module.js';

@Module({
  imports: [ImportsModule],
  controllers: [MigrationsController],
  providers: [MigrationsResolver],
})
export class ImportsApiModule {}
