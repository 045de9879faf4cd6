/**
 * A row that was in flight when a process died is retried while its process handles no other row, so that another
 * crash cannot count against another tenant's row.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { InFlightWork } from '../../src/modules/dead-letters/application/in-flight-work.js';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { sharedApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let inHand: InFlightWork;
let victim: TenantScope;
let neighbour: TenantScope;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  inHand = app.app.get(InFlightWork, { strict: false });
  victim = { workspaceId: (await app.workspace()).id, environment: 'live' };
  neighbour = { workspaceId: (await app.workspace()).id, environment: 'live' };
  const presence = app.app.get(ProcessLease);
  await presence.number();
  await admin.query('INSERT INTO process_lives (number) VALUES (4711)');
  await until('the death is seen', () => presence.hasRecentCrash);
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const atWork = new Set<Batch>();
/** How often work started while a suspect was being processed, or a suspect while other work was. */
let overlaps = 0;

/** A batch of one row that runs until the test ends it. */
class Batch {
  private release: () => void = () => undefined;
  private readonly over = new Promise<void>((resolve) => (this.release = resolve));
  private readonly done: Promise<unknown>;

  constructor(scope: TenantScope, kind: 'event' | 'trip', id: string, isSuspect = false) {
    this.done = inHand.run(scope, kind, 10, async (_limit, hold) => {
      await hold([id]);
      if ([...atWork].some((other) => isSuspect || other === suspected)) overlaps++;
      atWork.add(this);
      await this.over;
      atWork.delete(this);
      return { taken: 1, more: false };
    });
  }

  get isAtWork(): boolean {
    return atWork.has(this);
  }

  async end(): Promise<void> {
    this.release();
    await this.done;
  }
}

let suspected: Batch;

/** Waits long enough for every permitted batch to start: all their queries use the same connection. */
async function roundsOfTheDatabase(): Promise<void> {
  for (let round = 0; round < 10; round++) await app.app.get(ProcessLease).runStatement(victim, 'SELECT', []);
}

test('a suspect waits until nobody else is at work, and nobody begins before it has ended', async () => {
  const suspect = randomUUID();
  await admin.query(
    `INSERT INTO work_in_hand (workspace_id, environment, kind, subject_id, holder, deaths, taken_at)
     VALUES ($1, 'live', 'event', $2, 4711, 0, now())`,
    [victim.workspaceId, suspect],
  );
  const first = new Batch(neighbour, 'trip', randomUUID());
  await until('the neighbour is at work', () => first.isAtWork);
  suspected = new Batch(victim, 'event', suspect, true);
  await until('the death is counted', async () => {
    const { rows } = await admin.query('SELECT FROM work_in_hand WHERE subject_id = $1 AND deaths = 1', [
      suspect,
    ]);
    return rows.length === 1;
  });
  const others = [new Batch(neighbour, 'event', randomUUID()), new Batch(victim, 'trip', randomUUID())];
  await roundsOfTheDatabase();
  expect(suspected.isAtWork).toBe(false);
  await Promise.all([first, ...others.filter(({ isAtWork }) => isAtWork)].map((one) => one.end()));
  await until('the suspect is at work', () => suspected.isAtWork);
  others.push(new Batch(neighbour, 'trip', randomUUID()));
  await roundsOfTheDatabase();
  expect([...atWork]).toEqual([suspected]);
  await suspected.end();
  await Promise.all(others.map((one) => one.end()));
  expect(overlaps).toBe(0);
});
