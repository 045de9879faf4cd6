/**
 * The engine on steps that do not send: trips whose wait is over update their contact and wait again. The
 * references are a bare claim and advance of 500 rows at a time, and a queue with one job per trip.
 */
import { median, type Comparison } from '../measure.js';
import type { Rate } from '../processor-time.js';
import { askOnce } from '../program.js';
import type { ClaimQuestion } from '../references/claim.js';
import type { QueueQuestion } from '../references/bullmq.js';
import type { Run } from '../run.js';
import { TripRows } from '../trip-rows.js';

/** Numbers of concurrent connections; the reference is the best of these. */
const CLAIMING_SIDE_BY_SIDE = [1, 2, 4];

export async function trips(run: Run): Promise<Comparison[]> {
  const { postgres, scale } = run;
  const claimUrl = await postgres.create('bench_claim_reference');
  const queueUrl = await postgres.create('bench_queue_reference');
  const rows = await TripRows.open(postgres, await run.product('bench_trips'));

  const claims = new Map<number, Rate[]>(CLAIMING_SIDE_BY_SIDE.map((workers) => [workers, []]));
  const queue: Rate[] = [];
  const ours: Rate[] = [];
  const postgresPid = postgres.pid;
  for (const _ of run.rounds) {
    for (const [workers, figures] of claims) {
      const question: ClaimQuestion = { databaseUrl: claimUrl, postgresPid, due: scale.dueTrips, workers };
      figures.push(await askOnce<Rate>('references/claim', question));
    }
    const question: QueueQuestion = { databaseUrl: queueUrl, postgresPid, jobs: scale.queueJobs };
    queue.push(await askOnce<Rate>('references/bullmq', question));
    await rows.renewDue(scale.dueTrips);
    ours.push(await rows.advanceAll(scale.dueTrips));
  }

  const rates = (of: readonly Rate[]): number[] => of.map(({ perSecond }) => perSecond);
  const efforts = (of: readonly Rate[]): Rate['effort'][] => of.map(({ effort }) => effort);
  const [workers, best] = [...claims].reduce((a, b) => (median(rates(b[1])) > median(rates(a[1])) ? b : a));
  return [
    {
      path: 'trip steps that do not send',
      unit: 'trips/s',
      reference: rates(best),
      ours: rates(ours),
      effort: { reference: efforts(best), ours: efforts(ours) },
      target: { atLeast: 0.35 },
      against: `claim and advance, 500 at a time, ${workers} side by side`,
    },
    {
      path: 'trip steps that do not send',
      unit: 'trips/s',
      reference: rates(queue),
      ours: rates(ours),
      effort: { reference: efforts(queue), ours: efforts(ours) },
      target: { atLeast: 7 },
      against: "BullMQ's PostgreSQL backend, concurrency 50, jobs that do nothing",
    },
  ];
}
