/**
 * Reference for a queue with one job per trip: BullMQ's PostgreSQL backend, one worker with 50 concurrent jobs
 * that do nothing.
 */
import { createPostgresBackend, Queue, Worker, type QueueOptions } from 'bullmq';
import { rated } from '../processor-time.js';
import { answerQuestions } from '../program.js';

export interface QueueQuestion {
  readonly databaseUrl: string;
  /** The server, whose processor time is reported next to the program's own. */
  readonly postgresPid: number;
  readonly jobs: number;
}

const CONCURRENCY = 50;
const ADDED_AT_ONCE = 500;

/** Answers the rate of jobs. */
answerQuestions<QueueQuestion>(async ({ databaseUrl, postgresPid, jobs }) => {
  // The type only knows Redis.
  const connection = {
    connectionString: databaseUrl,
    max: 20,
    migrate: true,
  } as unknown as QueueOptions['connection'];
  const data = { workspace: 'w1', trip: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', step: 3 };
  const opts = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue(`bench-${Date.now()}`, { connection }, createPostgresBackend as never);
  for (let added = 0; added < jobs; added += ADDED_AT_ONCE)
    await queue.addBulk(
      Array.from({ length: Math.min(ADDED_AT_ONCE, jobs - added) }, () => ({ name: 'job', data, opts })),
    );
  let done = 0;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const worker = new Worker(
    queue.name,
    async () => {
      if (++done === jobs) finish();
    },
    { connection, concurrency: CONCURRENCY, autorun: false },
    createPostgresBackend as never,
  );
  const failed = new Promise<never>((_, reject) => worker.on('error', reject));
  await worker.waitUntilReady();
  const rate = await rated(jobs, { program: process.pid, PostgreSQL: postgresPid }, async () => {
    const running = worker.run();
    await Promise.race([finished, failed, running.then(() => finished)]);
  });
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  return rate;
});
