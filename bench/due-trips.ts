/** Measures from outside how long a worker takes to advance all due trips. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPostgres } from './postgres.js';
import { watched } from './processor-time.js';
import type { Product } from './product.js';

/** Each poll scans rows that are already done, which costs time on the server under measurement. */
const LOOK_EVERY_MS = 100;
const TIMEOUT_MS = 180_000;

export interface Worked {
  /** Unix time in milliseconds of the commit that advanced the last trip. */
  readonly endedAt: number;
  /** Processor seconds by process, counted from the moment at which the worker was ready. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Starts a worker, and stops it when no trip of the product's workspace is due any more. */
export async function workedOff(postgres: BenchPostgres, product: Product): Promise<Worked> {
  const worker = await product.startWorker('trips');
  const { seconds } = await watched({ worker: worker.pid, PostgreSQL: postgres.pid }, () =>
    untilNoneIsDue(postgres, product),
  );
  await worker.stop();
  const [row] = await postgres.query<{ at: Date }>(
    product.database,
    'SELECT max(pg_xact_commit_timestamp(xmin)) AS at FROM trips WHERE workspace_id = $1',
    [product.workspaceId],
  );
  return { endedAt: row?.at.getTime() ?? 0, seconds };
}

async function untilNoneIsDue(postgres: BenchPostgres, product: Product): Promise<void> {
  const timeoutAt = performance.now() + TIMEOUT_MS;
  while (await anyDue(postgres, product)) {
    if (performance.now() > timeoutAt)
      throw new Error('The worker does not come to an end with the due trips.');
    await sleep(LOOK_EVERY_MS);
  }
}

async function anyDue(postgres: BenchPostgres, product: Product): Promise<boolean> {
  const [row] = await postgres.query<{ due: boolean }>(
    product.database,
    `SELECT EXISTS (SELECT FROM trips WHERE workspace_id = $1 AND environment = 'live' AND resume_at <= now()) AS due`,
    [product.workspaceId],
  );
  return row?.due ?? false;
}
