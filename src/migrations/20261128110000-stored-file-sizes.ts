/** Lets the service see how much the files of all migrations take together. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DISPATCH_ROLE } from './frozen/20261121120000-tenant-tables.js';

export class StoredFileSizes20261128110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`GRANT SELECT (size) ON import_files TO ${DISPATCH_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE SELECT (size) ON import_files FROM ${DISPATCH_ROLE}`);
  }
}
