/** Types of the fields of an import: suggested with the file, and how many values did not fit them. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FieldTypes20261127210000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE import_files ADD COLUMN suggested_types jsonb;
      ALTER TABLE import_jobs ADD COLUMN mistyped integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE import_files DROP COLUMN suggested_types;
      ALTER TABLE import_jobs DROP COLUMN mistyped`);
  }
}
