/** Erasure of a person's data from migrations. */
import { Module } from '@nestjs/common';
import { ImportErasure } from './application/import-erasure.js';
import { ImportResultsRepository } from './persistence/import-results.repository.js';

@Module({ providers: [ImportErasure, ImportResultsRepository], exports: [ImportErasure] })
export class ImportsErasureModule {}
