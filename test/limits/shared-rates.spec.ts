/**
 * Request rates that processes count together (section 8.1), on a real PostgreSQL and, if available, a real Redis.
 * Tests the stores alone, and eight processes that use one window concurrently, on a clock that the test controls.
 */
import fc from 'fast-check';
import type { Pool } from 'pg';
import pg from 'pg';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { ratesPool } from '../../src/platform/database/data-source.js';
import { FailFastRedis } from '../../src/platform/queue/fail-fast-redis.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { SharedWindows } from '../../src/modules/limits/application/shared-windows.js';
import type { Bound } from '../../src/modules/limits/domain/bounds.js';
import { type LeaseRequest, SLOTS } from '../../src/modules/limits/domain/leased-window.js';
import type { RateDecision } from '../../src/modules/limits/domain/rate-decision.js';
import type { RateStore } from '../../src/modules/limits/domain/rate-store.js';
import { PostgresRateStore } from '../../src/modules/limits/persistence/postgres-rate-store.js';
import { RedisRateStore } from '../../src/modules/limits/persistence/redis-rate-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { figure } from '../support/figure.js';
import { repetitions, runs } from '../support/test-scope.js';

const PROCESSES = 8;
const MINUTE = 60_000;
const NOW = 1_700_000_000_000;

/** A busy machine is late, and its store not down. */
const UNHURRIED = { statementMs: 60_000, connectMs: 60_000 };

let database: TestDatabase;
let admin: pg.Client;
let pool: Pool;
const redisUrl = process.env['TEST_REDIS_URL'];
const logger = makeLogger('test', 'silent');
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  pool = ratesPool(database.adminUrl, UNHURRIED);
});
afterAll(async () => {
  await pool.end();
  await admin.end();
  await database.drop();
});

/** A window that no other test uses. */
function keyOf(number = ++serial): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

type Moment = () => Date | null;
const STORES: [string, (moment?: Moment) => RateStore][] = [
  ['PostgreSQL', (moment) => new PostgresRateStore(ratesPool(database.adminUrl, UNHURRIED), moment)],
];
if (redisUrl)
  STORES.push([
    'Redis',
    (moment) => new RedisRateStore(new FailFastRedis(redisUrl, logger), 'waypost:test', moment),
  ]);

describe.each(STORES)('%s', (_, open) => {
  let time: number;
  let store: RateStore;
  beforeEach(() => {
    time = NOW;
    store = open(() => new Date(time));
  });
  afterEach(() => store.close());

  const asking = (fields: Partial<LeaseRequest>): LeaseRequest => ({
    key: keyOf(serial),
    length: MINUTE,
    limit: 100,
    required: 0,
    requested: 0,
    unused: 0,
    unusedSlot: 0,
    ...fields,
  });

  test('grants what is needed as far as there is room, and of what is wanted a sixteenth of much room', async () => {
    keyOf();
    time = NOW + 300;
    expect(await store.grant([asking({ required: 20, requested: 20 })])).toEqual([
      { granted: 20, slot: NOW / 1_000, slotLeft: 700, used: 20, freesIn: 60_700 },
    ]);
    expect(await store.grant([asking({ limit: 300, required: 1, requested: 50 })])).toMatchObject([
      { granted: 17, used: 37 },
    ]);
    expect(await store.grant([asking({ limit: 300, required: 1, requested: 9 })])).toMatchObject([
      { granted: 9 },
    ]);
    expect(await store.grant([asking({ limit: 300, required: 1, requested: 9 })])).toMatchObject([
      { granted: 1 },
    ]);
    time += 2_000;
    expect(await store.grant([asking({ required: 200, requested: 200 })])).toMatchObject([
      { granted: 53, used: 100, freesIn: 58_700 },
    ]);
    expect(await store.grant([asking({ required: 1 })])).toMatchObject([{ granted: 0, used: 100 }]);
  });

  test('a slot leaves the window as a whole, once its end is a minute ago', async () => {
    keyOf();
    await store.grant([asking({ required: 60 })]);
    time += 1_000;
    await store.grant([asking({ required: 40 })]);
    time = NOW + 60_999;
    expect(await store.grant([asking({ required: 1 })])).toMatchObject([{ granted: 0, freesIn: 1 }]);
    time = NOW + 61_000;
    expect(await store.grant([asking({ required: 99 })])).toMatchObject([{ granted: 60, used: 100 }]);
    time = NOW + 10 * MINUTE;
    expect(await store.grant([asking({ required: 100 })])).toMatchObject([{ granted: 100 }]);
  });

  test('what comes back counts no more, but for more than was given out, and for what has left', async () => {
    keyOf();
    const [first] = await store.grant([asking({ required: 100 })]);
    const backSlot = first?.slot ?? 0;
    time += 1_500;
    expect(await store.grant([asking({ required: 50, unused: 30, unusedSlot: backSlot })])).toMatchObject([
      { granted: 30 },
    ]);
    expect(await store.grant([asking({ unused: 500, unusedSlot: backSlot })])).toMatchObject([{ used: 30 }]);
    time += 61_000;
    expect(await store.grant([asking({ unused: 500, unusedSlot: backSlot })])).toMatchObject([{ used: 0 }]);
  });

  test('a clock that is set back lets nobody pass twice, and holds nobody for longer than a window', async () => {
    keyOf();
    await store.grant([asking({ required: 100 })]);
    time = NOW - 60 * MINUTE;
    expect(await store.grant([asking({ required: 1 })])).toMatchObject([{ granted: 0 }]);
    time += MINUTE + 1_000;
    expect(await store.grant([asking({ required: 1 })])).toMatchObject([{ granted: 1 }]);
  });

  test('answers many windows in the order in which they are asked for', async () => {
    const keys = Array.from({ length: 40 }, () => keyOf()).reverse();
    const asks = keys.map((key, i) => asking({ key, required: i + 1, length: i % 2 ? MINUTE : 60 * MINUTE }));
    expect((await store.grant(asks)).map(({ granted }) => granted)).toEqual(keys.map((_, i) => i + 1));
    expect((await store.grant(asks)).map(({ used }) => used)).toEqual(
      keys.map((_, i) => Math.min(100, 2 * (i + 1))),
    );
  });

  test('whatever is asked whenever, no more than the limit is out in any minute', async () => {
    const steps = fc.array(
      fc.record({
        gap: fc.oneof(fc.integer({ min: 0, max: 2_500 }), fc.integer({ min: 58_000, max: 62_000 })),
        need: fc.integer({ min: 0, max: 20 }),
        want: fc.integer({ min: 0, max: 200 }),
      }),
      { minLength: 5, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 80 }), async (asks, limit) => {
        keyOf();
        time = NOW;
        const out: { slot: number; granted: number }[] = [];
        for (const { gap, need, want } of asks) {
          time += gap;
          const [grant] = await store.grant([asking({ limit, required: need, requested: want })]);
          expect(grant?.slot).toBe(Math.floor(time / 1_000));
          out.push({ slot: grant?.slot ?? 0, granted: grant?.granted ?? 0 });
          const inWindow = out.filter(({ slot }) => slot >= Math.floor(time / 1_000) - SLOTS);
          const used = inWindow.reduce((sum, { granted }) => sum + granted, 0);
          expect(used).toBeLessThanOrEqual(limit);
          expect(grant?.used).toBe(used);
          if (used < limit) expect(grant?.granted).toBeGreaterThanOrEqual(need);
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

async function passes(windows: SharedWindows, bounds: readonly Bound[]): Promise<boolean> {
  const { allowed } = await windows.consume(bounds);
  return allowed;
}

describe.each(STORES)('eight processes on %s', (_, open) => {
  let time: number;
  let processes: SharedWindows[];
  beforeEach(() => {
    time = NOW;
    const failures = new Metrics().rateStoreFailures;
    const start = (): SharedWindows =>
      new SharedWindows(
        open(() => new Date(time)),
        { logger, failures, timeoutMs: UNHURRIED.connectMs },
        () => time,
      );
    processes = Array.from({ length: PROCESSES }, start);
  });
  afterEach(() => Promise.all(processes.map((one) => one.onApplicationShutdown())));

  /**
   * Several processes send a number of concurrent requests.
   * @returns the number of requests that pass for each process.
   */
  const ask = (
    askers: readonly SharedWindows[],
    bounds: readonly Bound[],
    times: number,
  ): Promise<number[]> =>
    Promise.all(
      askers.map(async (one) => {
        const answers = await Promise.all(Array.from({ length: times }, () => passes(one, bounds)));
        return answers.filter(Boolean).length;
      }),
    );

  test.each([
    ['a key of free', [{ window: 'key', limit: 60, length: MINUTE }]],
    ['the export of a workspace', [{ window: 'endpoint', limit: 5, length: 60 * MINUTE }]],
    ['a key of growth', [{ window: 'key', limit: 1_000, length: MINUTE }]],
    [
      'the events of a workspace, whose key has an hour too',
      [
        { window: 'workspace', limit: 50_000, length: MINUTE },
        { window: 'key', limit: 20_000, length: 60 * MINUTE },
      ],
    ],
  ] as const)('that hammer %s let exactly its limit pass', async (name, windows) => {
    const bounds = windows.map((one, i) => ({ ...one, key: `${name} ${i} ${++serial}` }));
    const limit = Math.min(...bounds.map((one) => one.limit));
    const counts = new Array<number>(PROCESSES).fill(0);
    // Permits that a process reserved and did not use return within a second or two.
    for (let quiet = 0; quiet < 3_000; time += 100) {
      const passed = await ask(processes, bounds, 16);
      passed.forEach((count, i) => (counts[i] = (counts[i] ?? 0) + count));
      quiet = passed.some((count) => count > 0) ? 0 : quiet + 100;
    }
    expect(time - NOW).toBeLessThan(MINUTE);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(limit);
    figure(`${name}: ${limit} passed, ${Math.min(...counts)} to ${Math.max(...counts)} of a process`);
  });

  test.each([
    ['many times over', 8, 4],
    ['by turns, a little too often', 1, 2],
  ])(
    'that hammer a window as it slides, %s: never more than the limit, and hardly less',
    async (_name, at, times) => {
      const [limit, minutes, step] = [600, repetitions({ short: 3, full: 5 }), 150];
      const bounds: Bound[] = [{ window: 'key', key: `sliding ${++serial}`, limit, length: MINUTE }];
      const moments: number[] = [];
      for (let turn = 0; time < NOW + minutes * MINUTE; turn++, time += step) {
        const askers = processes.filter((_one, i) => at === PROCESSES || i === turn % PROCESSES);
        const passed = await ask(askers, bounds, times);
        for (let count = passed.reduce((sum, one) => sum + one, 0); count > 0; count--) moments.push(time);
      }
      let most = 0;
      for (let from = 0, to = 0; to < moments.length; to++) {
        while ((moments[to] ?? 0) - (moments[from] ?? 0) >= MINUTE) from++;
        most = Math.max(most, to - from + 1);
      }
      figure(`at most ${most} of ${limit} in a minute, ${moments.length} in ${minutes} of them`);
      expect(most).toBeLessThanOrEqual(limit);
      expect(moments.length).toBeGreaterThanOrEqual(minutes * limit * 0.95);
    },
  );

  test('know of each other what is left, as far as the headers go', async () => {
    const bounds: Bound[] = [
      { window: 'key', key: `reportedRemaining ${++serial}`, limit: 60, length: MINUTE },
    ];
    const reportedRemaining: number[] = [];
    for (let i = 0; i < 61; i++) {
      const decision: RateDecision = await (processes[i % PROCESSES] as SharedWindows).consume(bounds);
      reportedRemaining.push(decision.remaining);
      expect(decision.allowed).toBe(i < 60);
      expect(decision.reset).toBeGreaterThan(NOW / 1_000);
      if (i === 60) expect(decision.retryAfter).toBeGreaterThanOrEqual(1);
    }
    expect(Math.min(...reportedRemaining)).toBe(0);
    expect(reportedRemaining[0]).toBe(59);
  });
});

describe('a store that is away', () => {
  const bounds = (): Bound[] => [{ window: 'key', key: `away ${++serial}`, limit: 10, length: MINUTE }];
  const cut = { isCut: false, hangs: false };
  class Cut implements RateStore {
    constructor(private readonly store: RateStore) {}
    async grant(asks: readonly LeaseRequest[]) {
      if (cut.isCut) throw new Error('Connection terminated');
      if (cut.hangs) await new Promise(() => undefined);
      return this.store.grant(asks);
    }
    sweep = () => this.store.sweep();
    close = () => this.store.close();
  }
  const lines: string[] = [];
  const reports = {
    warn: (_: object, text: string) => void lines.push(`warn ${text}`),
    info: (text: string | object) => void lines.push(`info ${typeof text === 'string' ? text : ''}`),
  };
  let metrics: Metrics;
  let time: number;
  let windows: SharedWindows;
  beforeEach(() => {
    lines.length = 0;
    metrics = new Metrics();
    time = Date.now();
    Object.assign(cut, { isCut: false, hangs: false });
    windows = new SharedWindows(
      new Cut(new PostgresRateStore(ratesPool(database.adminUrl, UNHURRIED))),
      { logger: reports as never, failures: metrics.rateStoreFailures },
      () => time,
    );
  });
  afterEach(() => windows.onApplicationShutdown());
  const failures = async (): Promise<number> => (await metrics.rateStoreFailures.get()).values[0]?.value ?? 0;

  test('the process goes on by what it has let pass itself, says so once, and counts each failure', async () => {
    const one = bounds();
    for (let i = 0; i < 4; i++) expect(await passes(windows, one)).toBe(true);
    cut.isCut = true;
    time += 2_000;
    const answers: boolean[] = [];
    for (let i = 0; i < 8; i++) answers.push(await passes(windows, one));
    expect(answers).toEqual([true, true, true, true, true, true, false, false]);
    expect(await failures()).toBe(1);
    // No request waits any more, and the store is queried again after a second.
    time += 1_500;
    expect(windows.consume(bounds())).not.toBeInstanceOf(Promise);
    await untilCounted(2);
    expect(lines).toEqual(['warn The rate-limit store is unavailable: this process counts on its own']);

    cut.isCut = false;
    time += 1_500;
    expect(await passes(windows, bounds())).toBe(true);
    const lineCount = lines.length;
    while (lines.length === lineCount) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(lines.slice(1)).toEqual(['info The rate-limit store is available again']);
    expect(windows.consume(bounds())).toBeInstanceOf(Promise);
  });

  test('one that hangs keeps those waiting that were there, once', async () => {
    cut.hangs = true;
    const first = await Promise.all(Array.from({ length: 5 }, () => passes(windows, bounds())));
    expect(first).toEqual([true, true, true, true, true]);
    expect(await failures()).toBe(1);
    expect(windows.consume(bounds())).not.toBeInstanceOf(Promise);
  });

  async function untilCounted(count: number): Promise<void> {
    while ((await failures()) < count) await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test('a server of the database that does not exist is a store that is away', async () => {
  const metrics = new Metrics();
  const windows = new SharedWindows(new PostgresRateStore(ratesPool('postgres://nobody@127.0.0.1:1/none')), {
    logger,
    failures: metrics.rateStoreFailures,
  });
  expect(await passes(windows, [{ window: 'key', key: 'k', limit: 5, length: MINUTE }])).toBe(true);
  expect((await metrics.rateStoreFailures.get()).values[0]?.value).toBe(1);
  await windows.onApplicationShutdown();
});

test('a busy window asks the store a few times a second, and requests wait that often', async () => {
  let time = NOW;
  let asked = 0;
  class Counted extends PostgresRateStore {
    override grant(asks: readonly LeaseRequest[]) {
      asked++;
      return super.grant(asks);
    }
  }
  const store = new Counted(ratesPool(database.adminUrl, UNHURRIED), () => new Date(time));
  const failures = new Metrics().rateStoreFailures;
  const windows = new SharedWindows(store, { logger, failures }, () => time);
  const bounds: Bound[] = [MINUTE, 60 * MINUTE].map((length) => ({
    window: 'key',
    key: `busy ${length} ${++serial}`,
    limit: 10_000_000,
    length,
  }));
  let waited = 0;
  for (const seconds = 5; time < NOW + seconds * 1_000; time += 5) {
    const decisions = Array.from({ length: 20 }, () => windows.consume(bounds));
    waited += decisions.filter((decision) => decision instanceof Promise).length;
    for (const decision of decisions) expect((await decision).allowed).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Out of 20,000 requests.
  figure(`a busy window: asked ${asked} times in 5 s, ${waited} of 20,000 requests waited`);
  expect(asked).toBeLessThan(60);
  expect(waited).toBeLessThan(400);
  await windows.onApplicationShutdown();
});

test('what is held goes back as a process ends', async () => {
  const bound: Bound = { window: 'key', key: `ends ${++serial}`, limit: 16_000, length: 60 * MINUTE };
  const start = (): SharedWindows =>
    new SharedWindows(new PostgresRateStore(ratesPool(database.adminUrl, UNHURRIED)), {
      logger,
      failures: new Metrics().rateStoreFailures,
      timeoutMs: UNHURRIED.connectMs,
    });
  const ending = start();
  for (let i = 0; i < 500; i++) await ending.consume([bound]);
  const other = start();
  await ending.onApplicationShutdown();
  expect((await other.consume([bound])).remaining).toBe(16_000 - 501);
  await other.onApplicationShutdown();
});

test('windows in which nothing counts are forgotten, a thousand at a time', async () => {
  const store = new PostgresRateStore(pool);
  await admin.query('DELETE FROM rate_windows');
  await admin.query(
    `INSERT INTO rate_windows SELECT gen_random_uuid(), 0, '{}', now() - interval '1 second' FROM generate_series(1, 1500)`,
  );
  await store.grant([
    { key: keyOf(), length: MINUTE, limit: 5, required: 1, requested: 1, unused: 0, unusedSlot: 0 },
  ]);
  expect([await store.sweep(), await store.sweep()]).toEqual([true, false]);
  const { rows } = await admin.query<{ left: number }>('SELECT count(*)::int AS left FROM rate_windows');
  expect(rows).toEqual([{ left: 1 }]);
});

test('windows that are asked for by many at once, in whatever order, hold nobody up', async () => {
  const keys = Array.from({ length: 60 }, () => keyOf());
  const ask = (key: string): LeaseRequest => ({
    key,
    length: MINUTE,
    limit: 1_000_000,
    required: 1,
    requested: 1,
    unused: 0,
    unusedSlot: 0,
  });
  // A longer timeout than in the service: an overloaded machine is slow, and PostgreSQL still reports a deadlock.
  const patient = (): pg.Pool => ratesPool(database.adminUrl, UNHURRIED);
  const stores = Array.from({ length: PROCESSES }, () => new PostgresRateStore(patient()));
  await Promise.all(
    stores.map(async (store, i) => {
      const order = i % 2 ? keys : [...keys].reverse();
      for (let round = 0; round < 20; round++) await store.grant(order.map(ask));
      await store.close();
    }),
  );
  const store = new PostgresRateStore(pool);
  const grants = await store.grant(keys.map((key) => ({ ...ask(key), required: 0, requested: 0 })));
  expect(new Set(grants.map(({ used }) => used))).toEqual(new Set([PROCESSES * 20]));
});
