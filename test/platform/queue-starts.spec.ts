/**
 * A queue and a worker that are created while the database is unreachable start to work when it becomes reachable.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { Queue, Worker } from 'bullmq';
import { QUEUE_SCHEMA } from '../../src/platform/database/migrate.js';
import { QUEUE_ROLE, urlAs } from '../../src/platform/database/roles.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { resilientBackend, QueuePool } from '../../src/platform/queue/queue-pool.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A proxy to PostgreSQL that cuts connections until it is opened. */
async function gate(): Promise<{ url: string; open: () => void; server: Server }> {
  let isOpen = false;
  const { hostname, port } = new URL(database.adminUrl);
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    if (!isOpen) return void socket.destroy();
    const through = connect(Number(port), hostname).unref();
    through.on('error', () => socket.destroy());
    socket.pipe(through).pipe(socket);
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(urlAs(QUEUE_ROLE, database.adminUrl));
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, open: () => void (isOpen = true), server };
}

test('they are not given up by their first connection', async () => {
  const { url, open, server } = await gate();
  const options = `-c search_path=${QUEUE_SCHEMA}`;
  const logger = makeLogger('test', 'silent');
  const connection = new QueuePool({ connectionString: url, options }, logger) as never;
  const done: unknown[] = [];
  const work = (job: { data: unknown }): Promise<void> => Promise.resolve(void done.push(job.data));
  const worker = new Worker('bells', work, { connection, runRetryDelay: 20 }, resilientBackend as never);
  const queue = new Queue('bells', { connection }, resilientBackend as never);
  worker.on('error', () => undefined);
  queue.on('error', () => undefined);
  await expect(queue.add('bell', { rung: 'in vain' })).rejects.toThrow('cannot be reached');
  await expect(worker.waitUntilReady()).rejects.toThrow('cannot be reached');
  open();
  await queue.add('bell', { rung: 'then' });
  await until('the bell is answered', () => done.length > 0);
  expect(done).toEqual([{ rung: 'then' }]);
  await worker.close();
  await queue.close();
  await (connection as QueuePool).end();
  server.close();
});
