/** Version history of templates, section 2.7: what each update or restore replaced, and what was kept by hand. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_WORKSPACE, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE template_versions (
  workspace_id uuid NOT NULL, id uuid NOT NULL, template_id uuid NOT NULL, version integer NOT NULL,
  name text NOT NULL, body_html text NOT NULL, body_ast jsonb, template_language text, change_summary text,
  document_json jsonb, ast_patches jsonb, created_by text NOT NULL, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX template_versions_number ON template_versions (workspace_id, template_id, version);
`;

export class TemplateVersions20261121180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await protect(runner, 'template_versions', OF_WORKSPACE);
    await assumeOneTenant(runner, ['template_versions'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE template_versions');
  }
}
