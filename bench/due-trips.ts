/** A worker that carries due trips on, from outside: how long it takes until none is due. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPostgres } from './postgres.js';
import { watched } from './processor-time.js';
import type { Product } from './product.js';

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 180_000;

export interface Worked {
  /** Unix time in milliseconds at which a look found no trip that was due. */
  readonly endedAt: number;
  /** Processor seconds, by process, from the moment at which the worker was ready. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Starts a worker and stops it again when no trip of the product's workspace is due any more. */
export async function workedOff(postgres: BenchPostgres, product: Product): Promise<Worked> {
  const worker = await product.startWorker('trips');
  const { result, seconds } = await watched({ worker: worker.pid, PostgreSQL: postgres.pid }, () =>
    untilNoneIsDue(postgres, product),
  );
  await worker.stop();
  return { endedAt: result, seconds };
}

async function untilNoneIsDue(postgres: BenchPostgres, product: Product): Promise<number> {
  const patience = performance.now() + PATIENCE_MS;
  while (await anyDue(postgres, product)) {
    if (performance.now() > patience)
      throw new Error('The worker does not come to an end with the due trips.');
    await sleep(LOOK_EVERY_MS);
  }
  return Date.now();
}

async function anyDue(postgres: BenchPostgres, product: Product): Promise<boolean> {
  const [row] = await postgres.query<{ due: boolean }>(
    product.database,
    `SELECT EXISTS (SELECT FROM trips WHERE workspace_id = $1 AND environment = 'live' AND resume_at <= now()) AS due`,
    [product.workspaceId],
  );
  return row?.due ?? false;
}
