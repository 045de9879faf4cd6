/**
 * The storage for a workspace's pictures is limited: pictures of the oldest runs are deleted first, and another
 * workspace's pictures stay.
 */
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { InspectScreenshotRepository } from '../../src/modules/inspect/persistence/inspect-screenshot.repository.js';
import { appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { ManualClock, MINUTE } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const BYTES = 1_000;
const RUNS = ['oldest', 'older', 'newer', 'newest'];
const stored = new InspectScreenshotRepository();
const clock = new ManualClock();

let testDatabase: TestDatabase;
let source: DataSource;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  source = await new DataSource(appOptions(testDatabase.adminUrl, SCHEMA, 4)).initialize();
  database = new Database(source, dispatchPool(testDatabase.adminUrl), makeLogger('kept pictures', 'silent'));
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await source.destroy();
  await testDatabase.drop();
});

/** A workspace with runs of two pictures each. */
class Fixture {
  readonly scope = { workspaceId: randomUUID() };
  private readonly ids = new Map(RUNS.map((name) => [name, randomUUID()]));

  static async open(): Promise<Fixture> {
    const fixture = new Fixture();
    for (const id of fixture.ids.values()) {
      clock.wind(MINUTE);
      const picture = {
        client: 'gmail_web',
        scheme: 'light',
        device: 'phone',
        width: 375,
        height: 10,
      } as const;
      const pictures = [randomUUID(), randomUUID()].map((each) => ({
        ...{ ...picture, id: each, mediaType: 'image/webp', image: Buffer.alloc(BYTES) },
      }));
      await database.inScope(fixture.scope, (tx) =>
        stored.replace(tx, fixture.scope, id, pictures, clock.now()),
      );
    }
    return fixture;
  }

  trim(bytes: number): Promise<void> {
    return database.inScope(this.scope, (tx) => stored.trim(tx, this.scope, bytes));
  }

  /** The runs that still have pictures, with the number of pictures. */
  async left(): Promise<string[]> {
    const counts = await Promise.all(
      [...this.ids].map(async ([name, id]) => {
        const found = await database.inScope(this.scope, (tx) => stored.ofJob(tx, this.scope, id));
        return found.length === 0 ? [] : [`${name} ${found.length}`];
      }),
    );
    return counts.flat();
  }
}

test.each([
  [8 * BYTES, ['oldest 2', 'older 2', 'newer 2', 'newest 2']],
  [8 * BYTES - 1, ['older 2', 'newer 2', 'newest 2']],
  [4 * BYTES, ['newer 2', 'newest 2']],
  [3 * BYTES, ['newest 2']],
])('of %d bytes there stay %j', async (bytes, left) => {
  const [fixture, other] = [await Fixture.open(), await Fixture.open()];
  await fixture.trim(bytes);
  expect(await fixture.left()).toEqual(left);
  expect(await other.left()).toHaveLength(4);
});
