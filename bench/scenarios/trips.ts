/**
 * The engine on steps that do not send: trips whose wait is over update their contact and wait again. Against a bare
 * claim and advance of 500 rows at a time, and against a queue that has one job for each trip.
 */
import { median, type Comparison } from '../measure.js';
import { askOnce } from '../program.js';
import type { ClaimQuestion } from '../references/claim.js';
import type { QueueQuestion } from '../references/bullmq.js';
import type { Run } from '../run.js';
import { TripRows } from '../trip-rows.js';

/** The reference is the best of these. */
const CLAIMING_SIDE_BY_SIDE = [1, 2, 4];

export async function trips(run: Run): Promise<Comparison[]> {
  const { postgres, scale } = run;
  const claimUrl = await postgres.create('bench_claim_reference');
  const queueUrl = await postgres.create('bench_queue_reference');
  const rows = await TripRows.open(postgres, await run.product('bench_trips'));

  const claims = new Map<number, number[]>(CLAIMING_SIDE_BY_SIDE.map((workers) => [workers, []]));
  const queue: number[] = [];
  const ours: number[] = [];
  for (const _ of run.rounds) {
    for (const [workers, figures] of claims) {
      const question: ClaimQuestion = { databaseUrl: claimUrl, due: scale.dueTrips, workers };
      figures.push(await askOnce<number>('references/claim', question));
    }
    const question: QueueQuestion = { databaseUrl: queueUrl, jobs: scale.queueJobs };
    queue.push(await askOnce<number>('references/bullmq', question));
    await rows.renewDue(scale.dueTrips);
    ours.push(await rows.advanceAll(scale.dueTrips));
  }

  const [workers, best] = [...claims].reduce((a, b) => (median(b[1]) > median(a[1]) ? b : a));
  return [
    {
      path: 'trip steps that do not send',
      unit: 'trips/s',
      reference: best,
      ours,
      target: { atLeast: 0.35 },
      against: `claim and advance, 500 at a time, ${workers} side by side`,
    },
    {
      path: 'trip steps that do not send',
      unit: 'trips/s',
      reference: queue,
      ours,
      target: { atLeast: 7 },
      against: "BullMQ's PostgreSQL backend, concurrency 50, jobs that do nothing",
    },
  ];
}
