/**
 * Files stored in pieces on a real database: either complete or absent, readable from any offset, and kept as long
 * as a job needs them.
 */
import { randomUUID } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../../src/kernel/duration.js';
import { FILE_TTL_MS, ImportFiles } from '../../src/modules/imports/application/import-files.js';
import { UPLOAD_TIMEOUT_MS } from '../../src/modules/imports/application/file-writer.js';
import { ImportFileRepository } from '../../src/modules/imports/persistence/import-file.repository.js';
import type { Environment, TenantScope } from '../../src/kernel/tenant-scope.js';
import { Database } from '../../src/platform/database/database.js';
import { Threads } from '../../src/platform/threads/threads.js';
import { useFixture } from '../support/fixture.js';
import { until } from '../support/until.js';

const MEGABYTE = 1_048_576;

const fixture = useFixture(
  { queues: [] },
  {
    get files(): ImportFiles {
      return fixture.app.app.get(ImportFiles, { strict: false });
    },
    get scope() {
      return { workspaceId: fixture.workspace.id, environment: 'live' } as const;
    },
    async kept(): Promise<unknown[]> {
      const { rows } = await fixture.admin.query<Record<string, unknown>>(
        `SELECT name, is_ready, size::int, (SELECT count(*)::int FROM import_file_pieces p WHERE p.file_id = f.id) AS pieces
         FROM import_files f WHERE workspace_id = $1 ORDER BY name`,
        [fixture.workspace.id],
      );
      return rows;
    },
    async piecesLeft(): Promise<number> {
      const { rows } = await fixture.admin.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM import_file_pieces WHERE workspace_id = $1',
        [fixture.workspace.id],
      );
      return rows[0]?.count ?? 0;
    },
    upload(name: string, ...chunks: (string | Buffer)[]) {
      return fixture.files.receive(fixture.scope, { name, createdBy: 'somebody' }, chunksOf(chunks));
    },
    later(milliseconds: number): Date {
      return new Date(fixture.app.clock.now().getTime() + milliseconds);
    },
    tx<T>(work: Parameters<Database['inScope']>[1]): Promise<T> {
      return fixture.app.app.get(Database, { strict: false }).inScope(fixture.scope, work) as Promise<T>;
    },
  },
);

async function* chunksOf(chunks: readonly (string | Buffer)[]): AsyncIterable<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

async function* cutOff(bytes: Buffer): AsyncIterable<Buffer> {
  yield await Promise.resolve(bytes);
  throw new Error('cut off');
}

async function allOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) {
    expect(chunk.length).toBeLessThanOrEqual(MEGABYTE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

test('a file is kept in pieces of a megabyte, and read from any place', async () => {
  const bytes = Buffer.concat([Buffer.from('email,n\n'), Buffer.alloc(2.5 * MEGABYTE, 'a@x.es,1\n')]);
  const file = await fixture.upload('a.csv', bytes.subarray(0, 7), bytes.subarray(7));
  expect(await fixture.kept()).toEqual([{ name: 'a.csv', is_ready: true, size: bytes.length, pieces: 3 }]);
  expect(await fixture.files.sizeOf(fixture.scope, file.id)).toBe(bytes.length);
  for (const offset of [0, 1, MEGABYTE - 1, MEGABYTE, 2 * MEGABYTE + 17, bytes.length - 1, bytes.length])
    expect(
      (await allOf(fixture.files.read(fixture.scope, file.id, offset))).equals(bytes.subarray(offset)),
    ).toBe(true);
  expect(await fixture.files.find(fixture.scope, file.id)).toEqual(file);
});

test('a file is of its environment alone', async () => {
  const { id } = await fixture.upload('a.csv', 'email\na@x.es\n');
  const other = { ...fixture.scope, environment: 'test' } as const;
  await expect(fixture.files.find(other, id)).rejects.toMatchObject({ code: 'file_not_found' });
  expect(await fixture.files.sizeOf(other, id)).toBe(0);
  expect(await allOf(fixture.files.read(other, id, 0))).toHaveLength(0);
});

test('what is cut off leaves nothing; of what a process has left unfinished nothing is found, and it goes in time', async () => {
  const bytes = Buffer.alloc(2 * MEGABYTE, 'a,b\n');
  await expect(
    fixture.files.receive(fixture.scope, { name: 'a', createdBy: 'x' }, cutOff(bytes)),
  ).rejects.toThrow('cut off');
  expect(await fixture.kept()).toEqual([]);
  expect(await fixture.piecesLeft()).toBe(0);

  const { id } = await fixture.upload('b.csv', bytes);
  await fixture.admin.query(
    `UPDATE import_files SET is_ready = false, expires_at = created_at + interval '2 hours' WHERE id = $1`,
    [id],
  );
  await expect(fixture.files.find(fixture.scope, id)).rejects.toMatchObject({ code: 'file_not_found' });
  expect(await allOf(fixture.files.read(fixture.scope, id, 0))).toHaveLength(0);
  expect(await fixture.files.removeExpired(fixture.scope, fixture.later(HOUR))).toBe(0);
  expect(await fixture.files.removeExpired(fixture.scope, fixture.later(3 * HOUR))).toBe(1);
  expect(await fixture.piecesLeft()).toBe(0);
});

test('a file that is removed as its last bytes come in is none, be it an upload or a download', async () => {
  // After the last piece only the end of the file is stored.
  async function* removedAtItsEnd(): AsyncIterable<Buffer> {
    yield await Promise.resolve(Buffer.alloc(MEGABYTE, 'a@x.es,1\n'));
    await fixture.admin.query('DELETE FROM import_files WHERE workspace_id = $1', [fixture.workspace.id]);
  }
  const upload = { name: 'a.csv', createdBy: 'x' };
  await expect(fixture.files.receive(fixture.scope, upload, removedAtItsEnd())).rejects.toMatchObject({
    code: 'conflict',
  });
  const download = { name: 'export', jobId: randomUUID(), createdBy: 'x' };
  await expect(fixture.files.store(fixture.scope, download, removedAtItsEnd())).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await fixture.kept()).toEqual([]);
});

test('what jobs download is theirs, and goes with them', async () => {
  const jobId = randomUUID();
  const id = await fixture.files.store(
    fixture.scope,
    { name: 'export.zip', jobId, createdBy: 'x' },
    chunksOf(['PK\u0003\u0004']),
  );
  expect((await allOf(fixture.files.read(fixture.scope, id, 2))).toString()).toBe('\u0003\u0004');
  await expect(fixture.files.find(fixture.scope, id)).rejects.toMatchObject({ code: 'file_not_found' });
  await fixture.tx((tx) => fixture.files.removeOfJob(tx, fixture.scope, jobId));
  expect(await fixture.piecesLeft()).toBe(0);
});

test('a job keeps one download, none once it has ended, and old ones of others give way', async () => {
  const GIGABYTE = 1_073_741_824;
  const jobs = [randomUUID(), randomUUID(), randomUUID()] as const;
  const download = (jobId: string): Promise<string> =>
    fixture.files.store(fixture.scope, { name: jobId, jobId, createdBy: 'x' }, chunksOf(['{}']));
  const left = async (): Promise<string[]> => {
    const { rows } = await fixture.admin.query<{ id: string }>(
      'SELECT id FROM import_files WHERE workspace_id = $1 ORDER BY created_at, id',
      [fixture.workspace.id],
    );
    return rows.map(({ id }) => id);
  };
  const first = await download(jobs[0]);
  const again = await download(jobs[0]);
  expect(await left()).toEqual([again]);
  expect(first).not.toBe(again);
  fixture.app.clock.wind(1_000);
  const second = await download(jobs[1]);
  await fixture.admin.query('UPDATE import_files SET size = $2 WHERE workspace_id = $1', [
    fixture.workspace.id,
    2.5 * GIGABYTE,
  ]);
  fixture.app.clock.wind(1_000);
  const third = await download(jobs[2]);
  expect(await left()).toEqual([second, third]);
  await fixture.admin.query(
    `INSERT INTO import_jobs (workspace_id, environment, id, platform, status, config, dry_run, plan, created_by, created_at)
     VALUES ($1, 'live', $2, 'braze', 'cancelled', '{}', false, 'starter', 'x', now())`,
    [fixture.workspace.id, jobs[2]],
  );
  await expect(download(jobs[2])).rejects.toMatchObject({ code: 'conflict' });
});

test('uploads of a process that died make room for others soon; one that comes slowly is kept', async () => {
  for (const name of ['a', 'b', 'c'])
    await fixture.files.receive(fixture.scope, { name, createdBy: 'x' }, slowly(3));
  await fixture.admin.query(
    `UPDATE import_files SET is_ready = false, expires_at = $2 WHERE workspace_id = $1`,
    [fixture.workspace.id, fixture.later(UPLOAD_TIMEOUT_MS)],
  );
  await expect(fixture.upload('d', 'email\na@x.es\n')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  fixture.app.clock.wind(UPLOAD_TIMEOUT_MS);
  await fixture.upload('d', 'email\na@x.es\n');
});

test('of two uploads that begin at the same moment one is refused where only one more may come', async () => {
  for (const name of ['a', 'b']) await fixture.upload(name, 'email\na@x.es\n');
  await fixture.admin.query('UPDATE import_files SET is_ready = false WHERE workspace_id = $1', [
    fixture.workspace.id,
  ]);
  let begun = 0;
  let refused = 0;
  let open = (): void => undefined;
  const bothDecided = new Promise<void>((resolve) => (open = resolve));
  async function* held(): AsyncIterable<Buffer> {
    begun++;
    await bothDecided;
    yield Buffer.from('email\na@x.es\n');
  }
  const begin = async (name: string): Promise<unknown> => {
    try {
      return await fixture.files.receive(fixture.scope, { name, createdBy: 'x' }, held());
    } catch (error) {
      refused++;
      throw error;
    }
  };
  // Under this lock an upload can count the others, but cannot store its own file.
  await fixture.admin.query('BEGIN');
  let uploads: Promise<PromiseSettledResult<unknown>[]>;
  try {
    await fixture.admin.query('LOCK TABLE import_files IN SHARE MODE');
    uploads = Promise.allSettled([begin('c'), begin('d')]);
    await until('both wait', async () => {
      const { rows } = await fixture.admin.query(
        `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length >= 2;
    });
  } finally {
    await fixture.admin.query('COMMIT');
  }
  await until('both are decided', () => begun + refused === 2);
  open();
  const outcomes = await uploads;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'rate_limit_exceeded' },
  });
});

/** Yields a little data each minute; expired files are removed meanwhile. */
async function* slowly(minutes: number): AsyncIterable<Buffer> {
  yield Buffer.from('email\n');
  for (let at = 0; at < minutes; at++) {
    fixture.app.clock.wind(MINUTE);
    yield Buffer.from('a@x.es\n');
    await fixture.files.removeExpired(fixture.scope, fixture.app.clock.now());
  }
}

test('a file is kept for seven days after its last job, and as long as a job reads it', async () => {
  const { id } = await fixture.upload('a.csv', 'email\na@x.es\n');
  const now = fixture.app.clock.now();
  await fixture.admin.query(
    `INSERT INTO import_jobs (workspace_id, environment, id, platform, status, config, file_id, dry_run, plan, due_at, created_by, created_at)
     VALUES ($1, 'live', $2, 'file', 'queued', '{}', $3, false, 'starter', $4, 'x', $4)`,
    [fixture.workspace.id, randomUUID(), id, now],
  );
  expect(await fixture.files.removeExpired(fixture.scope, fixture.later(FILE_TTL_MS + HOUR))).toBe(0);
  await fixture.admin.query(`UPDATE import_jobs SET status = 'completed', due_at = NULL WHERE file_id = $1`, [
    id,
  ]);
  await fixture.tx((tx) => fixture.files.retainUntil(tx, fixture.scope, id, fixture.later(10 * DAY)));
  expect(await fixture.files.removeExpired(fixture.scope, fixture.later(9 * DAY))).toBe(0);
  expect(await fixture.files.removeExpired(fixture.scope, fixture.later(11 * DAY))).toBe(1);
  expect(await fixture.kept()).toEqual([]);
});

test('an environment keeps so many bytes of uploads and no more', async () => {
  const { id } = await fixture.upload('a.csv', 'email\na@x.es\n');
  await fixture.admin.query('UPDATE import_files SET size = 5368709120 WHERE id = $1', [id]);
  await expect(fixture.upload('b.csv', 'email\na@x.es\n')).rejects.toMatchObject({ code: 'conflict' });
  await fixture.files.removeExpired(fixture.scope, fixture.later(FILE_TTL_MS + HOUR));
  expect(await fixture.upload('b.csv', 'email\na@x.es\n')).toMatchObject({ name: 'b.csv' });
});

describe('room for the files of all workspaces together', () => {
  const FULL = { code: 'service_unavailable', fields: { retry_after: 600 } };
  const BOUND = 8 * MEGABYTE;
  const [greedy, newcomer] = [randomUUID(), randomUUID()];
  const scopeOf = (workspaceId: string, environment: Environment = 'live'): TenantScope => ({
    workspaceId,
    environment,
  });

  /** Files with a size limit, in addition to everything stored so far. */
  async function bounded(megabytes = 8): Promise<ImportFiles> {
    const { rows } = await fixture.admin.query<{ size: string }>(
      'SELECT coalesce(sum(size), 0) AS size FROM import_files WHERE workspace_id <> ALL ($1)',
      [[greedy, newcomer]],
    );
    const of = <T>(type: new (...args: never[]) => T): T => fixture.app.app.get(type, { strict: false });
    return new ImportFiles(of(Database), of(ImportFileRepository), fixture.app.clock, of(Threads), {
      migrationStorageBytes: Number(rows[0]?.size) + megabytes * MEGABYTE,
    });
  }
  const bytes = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE, 'a@x.es,1\n');
  const upload = (files: ImportFiles, scope: TenantScope, megabytes: number): Promise<unknown> =>
    files.receive(scope, { name: 'a.csv', createdBy: 'x' }, chunksOf([bytes(megabytes)]));
  const download = (files: ImportFiles, scope: TenantScope, jobId = randomUUID()): Promise<string> =>
    files.store(scope, { name: 'export', jobId, createdBy: 'x' }, chunksOf([bytes(1)]));
  const storedBy = async (...workspaces: string[]): Promise<number> => {
    const { rows } = await fixture.admin.query<{ size: string }>(
      'SELECT coalesce(sum(size), 0) AS size FROM import_files WHERE workspace_id = ANY ($1)',
      [workspaces],
    );
    return Number(rows[0]?.size);
  };
  afterEach(async () => {
    for (const table of ['import_files', 'import_file_pieces'])
      await fixture.admin.query(`DELETE FROM ${table} WHERE workspace_id = ANY ($1)`, [[greedy, newcomer]]);
  });

  test('a workspace keeps no more than it leaves free, uploads and downloads of both environments together', async () => {
    const files = await bounded();
    await upload(files, scopeOf(greedy), 3);
    await download(files, scopeOf(greedy, 'test'));
    expect(await storedBy(greedy)).toBe(BOUND / 2);
    await expect(upload(files, scopeOf(greedy), 1)).rejects.toMatchObject(FULL);
    await expect(upload(files, scopeOf(greedy, 'test'), 1)).rejects.toMatchObject(FULL);
    await expect(download(files, scopeOf(greedy))).rejects.toMatchObject(FULL);
    expect(await storedBy(greedy)).toBe(BOUND / 2);
    await upload(files, scopeOf(newcomer), 2);
    await expect(upload(files, scopeOf(newcomer), 1)).rejects.toMatchObject(FULL);
  });

  test('a file that grows beyond the room is ended on its way, and leaves nothing', async () => {
    const files = await bounded(20);
    await expect(upload(files, scopeOf(greedy), 40)).rejects.toMatchObject(FULL);
    expect(await storedBy(greedy)).toBe(0);
  });

  test('what a job has downloaded before makes room for what it downloads now', async () => {
    const files = await bounded(2);
    const jobId = randomUUID();
    await download(files, scopeOf(greedy), jobId);
    await expect(download(files, scopeOf(greedy))).rejects.toMatchObject(FULL);
    await download(files, scopeOf(greedy), jobId);
  });
});
