/**
 * Retries of work that fails for a possibly temporary reason end even while good work arrives without a pause and
 * several loops process it concurrently. Success of other rows says nothing about the row that fails.
 */
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { Batches } from '../../src/modules/dead-letters/application/batches.js';
import type { ProcessBatch, WorkQueue } from '../../src/modules/dead-letters/application/work-queue.js';
import { WAKE_UPS } from '../../src/platform/queue/wake-ups.js';
import { sharedApp, type TestApp } from '../support/app.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const SIZE = 64;
/** Rounds of steady work, a minute apart: the retries must end long before the last. */
const ROUNDS = 60;

/**
 * Rows in id order, of which loops claim the first unclaimed ones. One of them always fails, and every round adds
 * enough new rows after it to fill a batch.
 */
class Inflow {
  readonly waiting: string[] = [];
  readonly aside: string[] = [];
  private readonly locked = new Set<string>();
  private next = 0;

  constructor(private readonly poison: string) {}

  comeIn(count: number): void {
    for (let left = count; left > 0; left--) this.waiting.push(idOf(this.next++));
  }

  leave(ids: readonly string[]): void {
    for (const id of ids) this.waiting.splice(this.waiting.indexOf(id), 1);
  }

  readonly work: ProcessBatch = async (limit, hold) => {
    const ids = this.waiting.filter((id) => !this.locked.has(id)).slice(0, limit);
    for (const id of ids) this.locked.add(id);
    try {
      await hold(ids);
      await new Promise((resolve) => setImmediate(resolve));
      if (ids.includes(this.poison)) throw Object.assign(new Error('lock timeout'), { code: '55P03' });
      this.leave(ids);
      return { taken: ids.length, more: ids.length === limit };
    } finally {
      for (const id of ids) this.locked.delete(id);
    }
  };
}

test.each([
  ['that waits as a whole', false],
  ['whose rows can wait by themselves', true],
])('in a queue %s', async (_case, defers) => {
  const workspace = await app.workspace();
  const scope: TenantScope = { workspaceId: workspace.id, environment: 'live' };
  const poison = idOf(20);
  const inflow = new Inflow(poison);
  const deferred = new Map<string, Date>();
  const queue: WorkQueue = {
    kind: 'trip',
    wakeUp: WAKE_UPS.trips,
    dequeue: (_tx, _scope, id) => {
      inflow.leave([id]);
      inflow.aside.push(id);
      return Promise.resolve(true);
    },
    requeue: () => Promise.resolve(true),
    ...(defers && {
      defer: (_tx: unknown, _scope: unknown, id: string, until: Date) => {
        inflow.leave([id]);
        deferred.set(id, until);
        return Promise.resolve();
      },
    }),
  };
  const batches = app.app.get(Batches);
  const from = app.clock.now();
  let rounds = 0;
  for (; rounds < ROUNDS && inflow.aside.length === 0; rounds++) {
    inflow.comeIn(SIZE * 2);
    for (const [id, until] of deferred)
      if (until <= app.clock.now()) {
        deferred.delete(id);
        inflow.waiting.unshift(id);
      }
    // A busy worker runs a limited number of batches, and is called again after a pause.
    await Promise.all(
      Array.from({ length: 4 }, () => {
        let left = 12;
        return batches.run(scope, queue, { size: SIZE, mayContinue: () => left-- > 0 }, inflow.work);
      }),
    );
    app.clock.wind(60_000);
  }
  expect(inflow.aside).toEqual([poison]);
  expect(app.clock.now().getTime() - from.getTime()).toBeGreaterThanOrEqual(10 * 60_000);
  expect(inflow.waiting.length).toBeLessThan(rounds * SIZE);
  const { rows } = await admin.query(
    'SELECT kind, subject_id, code FROM set_aside_work WHERE workspace_id = $1',
    [workspace.id],
  );
  expect(rows).toEqual([{ kind: 'trip', subject_id: poison, code: 'kept_failing' }]);
});
