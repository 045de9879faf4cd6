/** Migrations with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { MigrationsResolver } from './graphql/migrations.resolver.js';
import { ImportFilesController } from './http/import-files.controller.js';
import { MigrationsController } from './http/migrations.controller.js';
import { ImportsModule } from './imports.module.js';

@Module({
  imports: [ImportsModule],
  controllers: [ImportFilesController, MigrationsController],
  providers: [MigrationsResolver],
})
export class ImportsApiModule {}
