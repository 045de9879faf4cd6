/** Versions of templates that are kept as they were when their sending began. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_WORKSPACE, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLE = `
CREATE TABLE frozen_templates (
  workspace_id uuid NOT NULL, id uuid NOT NULL, template_id uuid NOT NULL, version integer NOT NULL, slug text NOT NULL,
  subject text, body_html text NOT NULL, body_text text NOT NULL, template_language text, frozen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX frozen_templates_version ON frozen_templates (workspace_id, template_id, version);
`;

export class FrozenTemplates20261124040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await protect(runner, 'frozen_templates', OF_WORKSPACE);
    await assumeOneTenant(runner, ['frozen_templates'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE frozen_templates');
  }
}
