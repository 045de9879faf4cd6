/** Jobs as the worker does them, from a source to contacts, on a real database: what is stored, counted, refused and undone. */
import { randomUUID } from 'node:crypto';
import type { ForeignRecord } from '../../src/modules/imports/domain/foreign-contact.js';
import { ComeBackLater, SourceFailure } from '../../src/modules/imports/domain/import-source.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { ImportCredentials } from '../../src/modules/imports/application/import-credentials.js';
import { Sources } from '../../src/modules/imports/application/sources.js';
import { MOST_ATTEMPTS } from '../../src/modules/imports/domain/work-bounds.js';
import { layGround } from '../support/ground.js';
import { until } from '../support/until.js';
import { contact, ListSource } from './support/list-source.js';

const CREDENTIALS: Credentials = { appId: null, apiKey: 'key-of-the-platform', extra: {} };

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
}

const sources = new Map<string, ListSource>();

const ground = layGround(
  { queues: ['imports'] },
  {
    /** Has a job read from a source. */
    async job(
      source: ListSource,
      config: { dryRun?: boolean; tags?: string[]; fieldMapping?: object; plan?: string } = {},
    ): Promise<string> {
      const id = randomUUID();
      sources.set(id, source);
      const own = ground.app.app.get(Sources, { strict: false });
      own.of = (_scope, job) => {
        const found = sources.get((job as { id?: string }).id ?? '');
        return found ? Promise.resolve(found) : Promise.reject(new SourceFailure('source_not_found', 'None.'));
      };
      const { dryRun = false, tags = [], fieldMapping = {}, plan = 'enterprise' } = config;
      const sealed = ground.app.app
        .get(ImportCredentials, { strict: false })
        .seal({ workspaceId: ground.workspace.id }, id, CREDENTIALS);
      await ground.admin.query(
        `INSERT INTO import_jobs (workspace_id, environment, id, platform, status, config, credentials, dry_run, plan, due_at, created_by, created_at)
         VALUES ($1, 'live', $2, 'intercom', 'queued', $3, $4, $5, $6, $7, 'somebody', $7)`,
        [
          ground.workspace.id,
          id,
          JSON.stringify({ tags, fieldMapping, fileId: null, dryRun }),
          sealed,
          dryRun,
          plan,
          ground.app.clock.now(),
        ],
      );
      return id;
    },
    async row(id: string): Promise<JobRow> {
      const { rows } = await ground.admin.query<JobRow>('SELECT * FROM import_jobs WHERE id = $1', [id]);
      const [row] = rows;
      if (!row) throw new Error('There is no such job.');
      return row;
    },
    async ended(id: string): Promise<JobRow> {
      await until('the job has ended', async () => (await ground.row(id)).due_at === null);
      return ground.row(id);
    },
    async errors(id: string): Promise<object[]> {
      const { rows } = await ground.admin.query<object>(
        `SELECT "row", external_id, code FROM import_errors WHERE job_id = $1 ORDER BY number`,
        [id],
      );
      return rows;
    },
    async contacts(): Promise<Record<string, any>> {
      const { rows } = await ground.admin.query<Record<string, any>>(
        `SELECT external_id, email, first_name, timezone, locale, subscription_status AS status, properties, tags FROM contacts
         WHERE workspace_id = $1 AND environment = 'live'`,
        [ground.workspace.id],
      );
      return Object.fromEntries(rows.map(({ external_id: id, ...row }) => [id, row]));
    },
    counts({ imported, failed, created_contacts: c, updated_contacts: u, unsubscribed, suppressed }: JobRow) {
      return { imported, failed, created: c, updated: u, unsubscribed, suppressed };
    },
  },
);

/** People without end: known ones, new ones, some twice and far apart, some out, some wrong. */
function crowd(size: number): ForeignRecord[] {
  return Array.from({ length: size }, (_, index): ForeignRecord => {
    const row = index + 1;
    if (row % 50 === 0)
      return { kind: 'suppression', email: `${row + 1}@example.test`, reason: 'complained' };
    if (row % 41 === 0)
      return { kind: 'unreadable', row, externalId: null, code: 'invalid_row', detail: 'No row.' };
    if (row % 31 === 0) return contact(row, `bad-${row}`, { email: 'none' });
    if (row % 7 === 0) return contact(row, `twice-${row % 70}`, { email: 't@example.test', n: row });
    if (row % 5 === 0) return contact(row, `known-${row % 40}`, { first_name: `Name ${row % 3}` });
    if (row % 11 === 0) return contact(row, `out-${row}`, { email: `${row}@example.test` }, 'bounced');
    return contact(row, `new-${row}`, { email: `${row}@example.test`, status: row % 13 ? 'subscribed' : 'opted out' });
  });
}

test('records become contacts: fields, properties, tags, what is empty, what is no time zone', async () => {
  await ground.workspace.call('POST', '/v1/contacts', {
    ...{ external_id: 'ada', first_name: 'Ada', tags: ['old'], properties: { plan: 'pro', city: 'Rome' } },
  });
  const source = new ListSource(
    [
      contact(1, 'ada', { email: 'ada@example.test', first_name: '', plan: 'free', nothing: null }),
      contact(2, null, { email: 'bea@example.test', timezone: 'Eastern Time (US & Canada)', locale: 'de-AT', Größe: 7 }),
      contact(3, 'cy', { timezone: 'Europe/Vienna', work_mail: 'cy@example.test', email: 'other@example.test' }),
      contact(4, 'dee', { email: 'no address' }),
      contact(5, null, { first_name: 'Nobody' }),
    ],
    2,
  );
  const id = await ground.job(source, { tags: ['moved'], fieldMapping: { work_mail: 'email' } });
  const ended = await ground.ended(id);
  expect(ended).toMatchObject({ status: 'completed', credentials: null, total: 5, percent_complete: 100 });
  expect(ground.counts(ended)).toMatchObject({ imported: 3, failed: 2, created: 2, updated: 1 });
  const { ada, cy } = await ground.contacts();
  expect(cy).toMatchObject({ email: 'cy@example.test', timezone: 'Europe/Vienna', properties: { email: 'other@example.test' } });
  expect(await ground.errors(id)).toEqual([
    { row: 4, external_id: 'dee', code: 'validation_error' },
    { row: 5, external_id: null, code: 'validation_error' },
  ]);
});
