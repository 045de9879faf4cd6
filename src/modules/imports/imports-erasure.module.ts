/** What migrations know of a person, for its erasure. */
import { Module } from '@nestjs/common';
import { ImportErasure } from './application/import-erasure.js';
import { ImportErrorRepository } from './persistence/import-error.repository.js';

@Module({ providers: [ImportErasure, ImportErrorRepository], exports: [ImportErasure] })
export class ImportsErasureModule {}
