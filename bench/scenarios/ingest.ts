/**
 * Ingest: events over HTTP, singly and in batches, with key, rate limit and validation. The reference is Fastify
 * with a durable group commit and nothing else. Every event that was answered with 202 must be in the table.
 */
import type { BodyRecipe } from '../bodies.js';
import { runLoad, type LoadReport, type Pace } from '../load.js';
import { median, type Comparison } from '../measure.js';
import { watched, type Effort, type Processes } from '../processor-time.js';
import { mustEqual, type Run } from '../run.js';

const PEOPLE = 4_000;
export const BATCH = 50;
const SINGLE: BodyRecipe = { kind: 'events', people: PEOPLE };
const BATCHES: BodyRecipe = { kind: 'batches', people: PEOPLE, size: BATCH };

const KEYED: BodyRecipe = { kind: 'keyed events', people: PEOPLE };
const KEYED_BATCHES: BodyRecipe = { kind: 'keyed batches', people: PEOPLE, size: BATCH };

/** One of the two sides of a comparison. */
export interface Side {
  readonly database: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly processes: Processes;
}

/** The report of a load and its processor time. */
type Measured = LoadReport & { readonly effort: Effort };

interface Load {
  readonly path: string;
  readonly bodies: BodyRecipe;
  readonly eventsEach: number;
  readonly connections: number;
}

export const SINGLE_LOAD: Load = { path: '/v1/events', bodies: SINGLE, eventsEach: 1, connections: 128 };
export const BATCH_LOAD: Load = {
  path: '/v1/events/batch',
  bodies: BATCHES,
  eventsEach: BATCH,
  connections: 16,
};
const KEYED_LOAD: Load = { ...SINGLE_LOAD, bodies: KEYED };
const KEYED_BATCH_LOAD: Load = { ...BATCH_LOAD, bodies: KEYED_BATCHES };
const REFERENCE = 'Fastify, durable 2 ms group commit';

export async function ingest(run: Run): Promise<Comparison[]> {
  const reference = await startReference(run);
  const product = await run.product('bench_ingest');
  const api = await product.startApi();
  const ours: Side = {
    database: product.database,
    port: api.port,
    headers: product.credentials,
    processes: { API: api.pid, PostgreSQL: run.postgres.pid },
  };

  const full: Pace = { kind: 'closed', warmUpSeconds: 1.5, seconds: run.scale.seconds };
  for (const side of [reference, ours])
    for (const load of [SINGLE_LOAD, BATCH_LOAD]) await measure(run, side, load, full);

  const single = await measureAlternately(run, reference, ours, SINGLE_LOAD, full);
  const latency = await halfLoaded(run, [reference, single.reference], [ours, single.ours]);
  const batches = await measureAlternately(run, reference, ours, BATCH_LOAD, full);
  const counted = await measureAlternately(
    run,
    { ...ours, headers: product.unlimited },
    ours,
    SINGLE_LOAD,
    full,
  );
  const keyed: Measured[] = [];
  const keyedBatches: Measured[] = [];
  for (const _ of run.rounds) {
    keyed.push(await measure(run, ours, KEYED_LOAD, full));
    keyedBatches.push(await measure(run, ours, KEYED_BATCH_LOAD, full));
  }

  const events = ({ perSecond }: LoadReport): number => perSecond * BATCH;
  return [
    {
      path: 'ingest, single events, 128 connections',
      unit: 'events/s',
      reference: single.reference.map(({ perSecond }) => perSecond),
      ours: single.ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.7 },
      against: REFERENCE,
      effort: efforts(single),
    },
    {
      path: "ingest, p99 at half of each side's own rate",
      unit: 'ms',
      reference: latency.reference.map(({ p99 }) => p99),
      ours: latency.ours.map(({ p99 }) => p99),
      target: { atMost: 1.5 },
      against: `${REFERENCE}; ${latency.rates.map(Math.round).join(' and ')} events/s`,
    },
    {
      path: `ingest, batches of ${BATCH}, 16 connections`,
      unit: 'events/s',
      reference: batches.reference.map(events),
      ours: batches.ours.map(events),
      target: { atLeast: 0.7 },
      against: `${REFERENCE}, in batches`,
      effort: efforts(batches),
    },
    {
      path: 'ingest, each request counted for its key, minute and hour, and its workspace',
      unit: 'events/processor second',
      reference: counted.reference.map(perProcessorSecond),
      ours: counted.ours.map(perProcessorSecond),
      target: { atLeast: 0.95 },
      against: 'the same API and a key that nothing limits',
      effort: efforts(counted),
    },
    {
      path: 'the same singly, with idempotency keys and contacts',
      unit: 'events/s',
      reference: single.reference.map(({ perSecond }) => perSecond),
      ours: keyed.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.55 },
      against: `${REFERENCE}, without either`,
      effort: efforts({ reference: single.reference, ours: keyed }),
    },
    {
      path: `the same in batches of ${BATCH}`,
      unit: 'events/s',
      reference: batches.reference.map(events),
      ours: keyedBatches.map(events),
      target: { atLeast: 0.55 },
      against: `${REFERENCE}, in batches, without either`,
      effort: efforts({ reference: batches.reference, ours: keyedBatches }),
    },
  ];
}

/** The cost of counting is smaller than the noise in the rates of a shared machine. */
export function perProcessorSecond({ effort: { units, seconds } }: { readonly effort: Effort }): number {
  return units / Object.values(seconds).reduce((sum, used) => sum + used, 0);
}

async function startReference(run: Run): Promise<Side> {
  const database = 'bench_ingest_reference';
  const databaseUrl = await run.postgres.create(database);
  const program = run.program('references/ingest-server');
  const { port } = await program.ask<{ port: number }>({ databaseUrl });
  const processes = { server: program.pid, PostgreSQL: run.postgres.pid };
  return { database, port, headers: {}, processes };
}

interface AlternatingRounds {
  readonly reference: readonly Measured[];
  readonly ours: readonly Measured[];
}

export function efforts({
  reference,
  ours,
}: Readonly<Record<'reference' | 'ours', readonly { readonly effort: Effort }[]>>): NonNullable<
  Comparison['effort']
> {
  return { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) };
}

/** Measures each side at half of its own highest rate, so that both are equally loaded. */
async function halfLoaded(
  run: Run,
  reference: readonly [Side, readonly Measured[]],
  ours: readonly [Side, readonly Measured[]],
): Promise<AlternatingRounds & { readonly rates: readonly number[] }> {
  const reports: { reference: Measured[]; ours: Measured[] } = { reference: [], ours: [] };
  const half = ([, reports]: readonly [Side, readonly Measured[]]): number =>
    median(reports.map(({ perSecond }) => perSecond)) / 2;
  const pace = (perSecond: number): Pace => ({
    kind: 'open',
    perSecond,
    warmUpSeconds: 1.5,
    seconds: run.scale.seconds,
  });
  for (const _ of run.rounds) {
    reports.reference.push(await measure(run, reference[0], SINGLE_LOAD, pace(half(reference))));
    reports.ours.push(await measure(run, ours[0], SINGLE_LOAD, pace(half(ours))));
  }
  return { ...reports, rates: [half(reference), half(ours)] };
}

export async function measureAlternately(
  run: Run,
  reference: Side,
  ours: Side,
  load: Load,
  pace: Pace,
): Promise<AlternatingRounds> {
  const reports = { reference: [] as Measured[], ours: [] as Measured[] };
  for (const _ of run.rounds) {
    reports.reference.push(await measure(run, reference, load, pace));
    reports.ours.push(await measure(run, ours, load, pace));
  }
  return reports;
}

async function measure({ postgres }: Run, side: Side, load: Load, pace: Pace): Promise<Measured> {
  await postgres.query(side.database, 'TRUNCATE events');
  if (load.bodies.kind.startsWith('keyed')) await postgres.query(side.database, 'TRUNCATE idempotency_keys');
  await postgres.query(side.database, 'CHECKPOINT');
  const { path, bodies, connections, eventsEach } = load;
  const { result: report, seconds } = await watched(side.processes, () =>
    runLoad({ port: side.port, headers: side.headers, path, bodies, connections, pace }),
  );
  const stored = await postgres.number(side.database, 'SELECT count(*) FROM events');
  mustEqual(`Events in ${side.database} after as many answers of 202`, stored, report.accepted * eventsEach);
  return { ...report, effort: { units: stored, seconds } };
}
