/**
 * How late waits end: thousands come due each second among a million parked trips while a worker runs. The lag of
 * a trip is the time from the end of its wait to the commit that advanced it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Comparison } from '../measure.js';
import type { Run } from '../run.js';
import { TripRows } from '../trip-rows.js';

const SETTLE_MS = 4_000;

export async function wakes(run: Run): Promise<Comparison[]> {
  const { postgres, scale } = run;
  const product = await run.product('bench_wakes');
  const rows = await TripRows.open(postgres, product);
  await rows.park(scale.parkedMany);
  const p99: number[] = [];
  for (const _ of run.rounds) {
    await rows.clearDone();
    const worker = await product.startWorker('trips');
    await sleep(SETTLE_MS);
    const count = scale.wakesPerSecond * scale.wakeSeconds;
    await rows.addComing(count, scale.wakesPerSecond);
    const lags = await rows.lags(count);
    await worker.stop();
    p99.push(percentile(lags, 0.99));
  }
  return [
    {
      path: `waits that end, ${scale.wakesPerSecond.toLocaleString('en')} a second`,
      unit: 's of lag, p99',
      reference: p99.map(() => 1),
      ours: p99,
      target: { atMost: 1 },
      against: `a second; beside ${scale.parkedMany.toLocaleString('en')} parked trips`,
    },
  ];
}
