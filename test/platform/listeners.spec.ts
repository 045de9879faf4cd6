/**
 * Domain event listeners: they run in the announcing transaction, in the given order, and take effect outside only
 * after its commit.
 */
import pino from 'pino';
import { DataSource } from 'typeorm';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { Database, type BeforeCommitWork, type Transaction } from '../../src/platform/database/database.js';
import { Listener, Listeners } from '../../src/platform/database/listener.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const SCOPE: TenantScope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' };
const NOW = new Date('2026-01-01T00:00:00Z');

let fixture: TestDatabase;
let source: DataSource;
let database: Database;
let reported: string[];
let logged: string[];

beforeAll(async () => {
  fixture = await createTestDatabase();
  source = await new DataSource(appOptions(fixture.adminUrl, SCHEMA, 2)).initialize();
  database = new Database(
    source,
    dispatchPool(fixture.adminUrl),
    pino({}, { write: (line) => void logged.push(line) }),
  );
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await source.destroy();
  await fixture.drop();
});
beforeEach(() => {
  reported = [];
  logged = [];
});

/** Stores a row, records the event, and records it again after the commit. */
class RecordingListener extends Listener<string> {
  constructor(private readonly name: string) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    batch: readonly string[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO segment_touches (workspace_id, environment, contact_id, touched_at)
       SELECT $1, $2, gen_random_uuid(), $3 FROM unnest($4::text[])`,
      [scope.workspaceId, scope.environment, now, batch],
    );
    reported.push(`${this.name} heard ${batch.join()}`);
    tx.afterCommit(() => reported.push(`${this.name} follows`));
  }
}

const rows = async (): Promise<number> =>
  database.inScope(SCOPE, async (tx) => (await tx.query('SELECT FROM segment_touches')).length);

test('listeners hear in order, store in the transaction, and follow once it is committed', async () => {
  const both = new Listeners([new RecordingListener('first'), new RecordingListener('second')]);
  const before = await rows();
  await database.inScope(SCOPE, async (tx) => {
    await both.handle(tx, SCOPE, ['a', 'b'], NOW);
    expect(reported).toEqual(['first heard a,b', 'second heard a,b']);
  });
  expect(reported.slice(2)).toEqual(['first follows', 'second follows']);
  expect(await rows()).toBe(before + 4);
});

test('nobody hears of an empty batch', async () => {
  await database.inScope(SCOPE, (tx) =>
    new Listeners([new RecordingListener('one')]).handle(tx, SCOPE, [], NOW),
  );
  expect(reported).toEqual([]);
});

test('what a listener stored and would have done is gone with the transaction', async () => {
  const before = await rows();
  const work = database.inScope(SCOPE, async (tx) => {
    await new Listeners([new RecordingListener('one')]).handle(tx, SCOPE, ['a'], NOW);
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(reported).toEqual(['one heard a']);
  expect(await rows()).toBe(before);
});

test('a transaction that is run again follows only for the run that is committed', async () => {
  let runs = 0;
  await database.inScope(SCOPE, async (tx) => {
    await new Listeners([new RecordingListener('one')]).handle(tx, SCOPE, ['a'], NOW);
    if (++runs === 1) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
  });
  expect(reported).toEqual(['one heard a', 'one heard a', 'one follows']);
});

test('what follows a commit and fails is logged, and leaves the transaction done and the rest to follow', async () => {
  const before = await rows();
  const work = database.inScope(SCOPE, async (tx) => {
    tx.afterCommit(() => {
      throw Object.assign(new Error('no bell'), { code: 'ENOBELL' });
    });
    await new RecordingListener('one').handle(tx, SCOPE, ['a'], NOW);
    return 'done';
  });
  await expect(work).resolves.toBe('done');
  expect(reported).toEqual(['one heard a', 'one follows']);
  expect(await rows()).toBe(before + 1);
  expect(logged.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual(['ENOBELL']);
});

test('a part that fails by itself is undone with what it would have done, and the transaction goes on', async () => {
  const before = await rows();
  await database.inScope(SCOPE, async (tx) => {
    await new RecordingListener('first').handle(tx, SCOPE, ['a'], NOW);
    const part = tx.inSavepoint(async () => {
      await new RecordingListener('part').handle(tx, SCOPE, ['b'], NOW);
      await tx.query('SELECT 1 / 0');
    });
    await expect(part).rejects.toMatchObject({ code: '22012' });
    expect(
      await tx.inSavepoint(() => new RecordingListener('last').handle(tx, SCOPE, ['c'], NOW)),
    ).toBeUndefined();
  });
  expect(reported.slice(3)).toEqual(['first follows', 'last follows']);
  expect(await rows()).toBe(before + 2);
});

test('what is stored last is so once for all that was handed over, in the order of the names, and before what follows', async () => {
  const last = (name: string): BeforeCommitWork<string> => ({
    name,
    store: async (tx, items) => {
      await tx.query('SELECT 1');
      reported.push(`${name} stores ${items.join()}`);
    },
  });
  const [first, second] = [last('first'), last('second')];
  await database.inScope(SCOPE, async (tx) => {
    tx.beforeCommit(second, ['a']);
    tx.beforeCommit(first, ['b']);
    tx.beforeCommit(first, []);
    tx.afterCommit(() => reported.push('follows'));
    await expect(
      tx.inSavepoint(async () => {
        tx.beforeCommit(second, ['undone']);
        throw new Error('part');
      }),
    ).rejects.toThrow('part');
    tx.beforeCommit(second, ['c', 'd']);
    reported.push('works');
  });
  expect(reported).toEqual(['works', 'first stores b', 'second stores a,c,d', 'follows']);
});

test('a transaction whose last work fails is undone', async () => {
  const before = await rows();
  const work = database.inScope(SCOPE, async (tx) => {
    await new RecordingListener('one').handle(tx, SCOPE, ['a'], NOW);
    tx.beforeCommit({ name: 'last', store: async () => Promise.reject(new Error('too late')) }, ['b']);
  });
  await expect(work).rejects.toThrow('too late');
  expect([reported, await rows()]).toEqual([['one heard a'], before]);
});
