/**
 * Runs that are given a subject examine the template's own as well, and edits that are a guess are offered and not applied.
 * What earlier runs were given a subject for says nothing of the template's own.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InspectSubjects20261128140000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE inspect_jobs ADD COLUMN own_subject_examined boolean NOT NULL DEFAULT true;
      UPDATE inspect_jobs SET own_subject_examined = false WHERE subject_given;
      ALTER TABLE inspect_findings ADD COLUMN is_suggestion boolean NOT NULL DEFAULT false, ADD COLUMN subject text;
      UPDATE inspect_findings SET is_suggestion = true
        WHERE edits IS NOT NULL AND code IN ('LK006', 'IM006', 'AC001')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE inspect_findings DROP COLUMN is_suggestion, DROP COLUMN subject;
      ALTER TABLE inspect_jobs DROP COLUMN own_subject_examined`);
  }
}
