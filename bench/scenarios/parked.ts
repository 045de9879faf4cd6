/**
 * The cost of a million parked trips: the rate at which due trips are advanced, and the processor time of an idle
 * worker and the whole database server. The reference is the same with ten thousand parked trips.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOfTree } from '../machine.js';
import type { Comparison } from '../measure.js';
import type { Rate } from '../processor-time.js';
import type { Product } from '../product.js';
import type { Run } from '../run.js';
import { TripRows } from '../trip-rows.js';

/** A worker that has just started is not idle yet. */
const SETTLE_MS = 4_000;

interface Side {
  readonly product: Product;
  readonly rows: TripRows;
  readonly rates: Rate[];
  readonly idle: number[];
}

export async function parked(run: Run): Promise<Comparison[]> {
  const { scale } = run;
  const few = await open(run, 'bench_parked_few', scale.parkedFew);
  const many = await open(run, 'bench_parked_many', scale.parkedMany);
  for (const _ of run.rounds)
    for (const { rows, rates } of [few, many]) {
      await rows.renewDue(scale.dueAmongParked);
      rates.push(await rows.advanceAll(scale.dueAmongParked));
    }
  for (const { rows } of [few, many]) await rows.clearDone();
  for (const _ of run.rounds)
    for (const side of [few, many]) side.idle.push(await idleCost(run, side.product));

  const against = `the same with ${scale.parkedFew.toLocaleString('en')} parked trips`;
  const among = `${scale.parkedMany.toLocaleString('en')} parked trips`;
  return [
    {
      path: `claim rate among ${among}`,
      unit: 'trips/s',
      reference: few.rates.map(({ perSecond }) => perSecond),
      ours: many.rates.map(({ perSecond }) => perSecond),
      effort: {
        reference: few.rates.map(({ effort }) => effort),
        ours: many.rates.map(({ effort }) => effort),
      },
      target: { atLeast: 0.9 },
      against,
    },
    {
      path: `idle cost with ${among}`,
      unit: 'CPU s/min',
      reference: few.idle,
      ours: many.idle,
      target: { atMost: 1.2 },
      against,
    },
  ];
}

async function open(run: Run, database: string, count: number): Promise<Side> {
  const product = await run.product(database);
  const rows = await TripRows.open(run.postgres, product);
  await rows.park(count);
  return { product, rows, rates: [], idle: [] };
}

/** Processor seconds per minute of an idle worker and its database server. */
async function idleCost({ postgres, scale }: Run, product: Product): Promise<number> {
  const worker = await product.startWorker('trips');
  await sleep(SETTLE_MS);
  const used = (): number => cpuSecondsOfTree(worker.pid) + cpuSecondsOfTree(postgres.pid);
  const before = used();
  const begun = performance.now();
  await sleep(scale.idleSeconds * 1_000);
  const minutes = (performance.now() - begun) / 60_000;
  const cost = (used() - before) / minutes;
  await worker.stop();
  return cost;
}
