/** The fixture of import job tests: jobs whose records come from lists, and their results. */
import { randomUUID } from 'node:crypto';
import { SourceFailure } from '../../../src/modules/imports/domain/import-source.js';
import type { Credentials } from '../../../src/modules/imports/domain/platform.js';
import { ImportCredentials } from '../../../src/modules/imports/application/import-credentials.js';
import { Sources } from '../../../src/modules/imports/application/sources.js';
import { useFixture } from '../../support/fixture.js';
import { until } from '../../support/until.js';
import type { ListSource } from './list-source.js';

export const CREDENTIALS: Credentials = { appId: null, apiKey: 'key-of-the-platform', extra: {} };

interface JobRow {
  id: string;
  status: string;
  credentials: string | null;
  imported: number;
  failed: number;
  total: number | null;
  percent_complete: number;
  created_contacts: number;
  updated_contacts: number;
  unsubscribed: number;
  suppressed: number;
  error_code: string | null;
  due_at: Date | null;
  worker: number | null;
  attempts: number;
  rows_kept: number;
}

const sources = new Map<string, ListSource>();

/** Creates the fixture for the tests of a file. */
export function layEngine() {
  const fixture = useFixture(
    { queues: ['imports'] },
    {
      /** Creates a job that reads from a source. */
      async job(
        source: ListSource,
        config: {
          dryRun?: boolean;
          tags?: string[];
          fieldMapping?: object;
          attempts?: number;
          rowsKept?: number;
        } = {},
      ): Promise<string> {
        const id = randomUUID();
        sources.set(id, source);
        const own = fixture.app.app.get(Sources, { strict: false });
        own.of = (_scope, job) => {
          const found = sources.get((job as { id?: string }).id ?? '');
          return found
            ? Promise.resolve(found)
            : Promise.reject(new SourceFailure('source_not_found', 'None.'));
        };
        const { dryRun = false, tags = [], fieldMapping = {}, attempts = 0, rowsKept = 0 } = config;
        const sealed = fixture.app.app
          .get(ImportCredentials, { strict: false })
          .seal({ workspaceId: fixture.workspace.id }, id, CREDENTIALS);
        await fixture.admin.query(
          `INSERT INTO import_jobs (workspace_id, environment, id, platform, status, config, credentials, dry_run, plan, due_at, created_by, created_at, attempts, rows_kept)
         VALUES ($1, 'live', $2, 'intercom', 'queued', $3, $4, $5, $6, $7, 'somebody', $7, $8, $9)`,
          [
            fixture.workspace.id,
            id,
            JSON.stringify({ tags, fieldMapping, fileId: null, dryRun }),
            sealed,
            dryRun,
            'enterprise',
            fixture.app.clock.now(),
            attempts,
            rowsKept,
          ],
        );
        return id;
      },
      /** Puts the workspace on a plan. */
      async plan(name: string): Promise<void> {
        await fixture.admin.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [
          fixture.workspace.id,
          name,
        ]);
      },
      /** Resumes a failed job with credentials. */
      async resume(id: string, credentials: Credentials): Promise<void> {
        const sealed = fixture.app.app
          .get(ImportCredentials, { strict: false })
          .seal({ workspaceId: fixture.workspace.id }, id, credentials);
        await fixture.admin.query(
          `UPDATE import_jobs SET status = 'queued', due_at = created_at, error_code = NULL, forget_at = NULL, credentials = $2 WHERE id = $1`,
          [id, sealed],
        );
      },
      async row(id: string): Promise<JobRow> {
        const { rows } = await fixture.admin.query<JobRow>('SELECT * FROM import_jobs WHERE id = $1', [id]);
        const [row] = rows;
        if (!row) throw new Error('There is no such job.');
        return row;
      },
      async ended(id: string): Promise<JobRow> {
        await until('the job has ended', async () => (await fixture.row(id)).due_at === null);
        return fixture.row(id);
      },
      async errors(id: string): Promise<object[]> {
        const { rows } = await fixture.admin.query<object>(
          `SELECT "row", external_id, code FROM import_errors WHERE job_id = $1 ORDER BY number`,
          [id],
        );
        return rows;
      },
      async rows(id: string): Promise<any[]> {
        const { rows } = await fixture.admin.query<any>(
          `SELECT number, "row", external_id AS id, outcome, updated_fields AS fields, opts_out AS out, code
           FROM import_rows WHERE job_id = $1 ORDER BY number`,
          [id],
        );
        return rows;
      },
      async contacts(): Promise<Record<string, any>> {
        const { rows } = await fixture.admin.query<Record<string, any>>(
          `SELECT external_id, email, first_name, timezone, locale, subscription_status AS status, properties, tags FROM contacts
         WHERE workspace_id = $1 AND environment = 'live'`,
          [fixture.workspace.id],
        );
        return Object.fromEntries(rows.map(({ external_id: id, ...row }) => [id, row]));
      },
      counts({
        imported,
        failed,
        created_contacts: c,
        updated_contacts: u,
        unsubscribed,
        suppressed,
      }: JobRow) {
        return { imported, failed, created: c, updated: u, unsubscribed, suppressed };
      },
    },
  );
  return fixture;
}
