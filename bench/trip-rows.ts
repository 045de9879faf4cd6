/**
 * Inserts trips directly into the table, because a benchmark cannot wait an hour, and measures how long a worker
 * takes to advance all due trips by one step.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { workedOff } from './due-trips.js';
import type { BenchPostgres } from './postgres.js';
import type { Rate } from './processor-time.js';
import type { FlowIdentity, Product } from './product.js';
import { mustEqual } from './run.js';

/** A due trip is after the first wait; the worker updates its contact and parks it again. */
const STEPS = [
  { type: 'wait', duration: '1h' },
  { type: 'update_contact', set: { stage: 'warm', score: 7 } },
  { type: 'wait', duration: '2h' },
] as const;
/** Step ids are positions, counted from 1, in a flow that was never changed. */
const DUE_STEP = 1;
const DONE_STEP = STEPS.length;

/** Inserts trips, each with a contact and an event. `resumeAt` and `startedAt` are SQL expressions of the times. */
const withPeople = (resumeAt: string, startedAt: string): string => `
WITH people AS (
  INSERT INTO contacts (workspace_id, id, environment, external_id, email, created_at, updated_at)
  SELECT $1, uuidv7(), 'live', 'due-' || i, 'due-' || i || '@example.test', now(), now() FROM generate_series(1, $4) i
  RETURNING id, external_id, substring(external_id FROM 5)::int AS number),
happened AS (
  INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at,
    processed_at)
  SELECT $1, uuidv7(), 'live', external_id, 'trip_began', '{}', now(), now(), now() FROM people
  RETURNING id, external_id)
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
  resume_at, started_at, updated_at)
SELECT $1, uuidv7(), 'live', $2, $3, p.id, h.id, 'paused', ${DUE_STEP},
  ${resumeAt}, ${startedAt}, now() - interval '1 hour'
FROM people p JOIN happened h USING (external_id) ORDER BY p.number`;

const DUE = withPeople(
  'now() - make_interval(secs => 1 + ($4 - p.number) / 1000.0)',
  "now() - interval '1 hour'",
);

/**
 * Trips that become due one after the other. The due time is also stored as the start time, which does not change.
 */
const COMING_IN_MS = 10_000;
const coming = (perSecond: number): string => {
  const moment = `now() + make_interval(secs => ${COMING_IN_MS / 1_000} + p.number / ${perSecond}.0)`;
  return withPeople(moment, moment);
};
const TIMEOUT_MS = 120_000;

const PARKED = `
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
  resume_at, started_at, updated_at)
SELECT $1, uuidv7(), 'live', $2, $3, gen_random_uuid(), uuidv7(), 'paused', ${DUE_STEP},
  now() + interval '1 day' + i * interval '50 ms', now(), now()
FROM generate_series(1, $4) i`;

export class TripRows {
  private constructor(
    private readonly postgres: BenchPostgres,
    private readonly product: Product,
    private readonly flow: FlowIdentity,
  ) {}

  /** Creates the flow over HTTP, like any client. */
  static async open(postgres: BenchPostgres, product: Product): Promise<TripRows> {
    const api = await product.startApi();
    const flow = await product.activeFlow(api, 'trip_began', STEPS);
    await api.stop();
    return new TripRows(postgres, product, flow);
  }

  /** Adds trips that become due after a day or more. */
  async park(count: number): Promise<void> {
    await this.insert(PARKED, count);
    await this.query('VACUUM ANALYZE trips');
  }

  /** Deletes the advanced trips and adds `count` due ones. */
  async renewDue(count: number): Promise<void> {
    await this.clearDone();
    await this.insert(DUE, count);
    await this.query('VACUUM ANALYZE trips');
    await this.query('VACUUM ANALYZE contacts');
    await this.query('CHECKPOINT');
  }

  async clearDone(): Promise<void> {
    await this.query(`DELETE FROM trips WHERE last_step = ${DONE_STEP}`);
    await this.query('TRUNCATE contacts, events');
    await this.query('VACUUM trips');
    await this.query('CHECKPOINT');
  }

  /**
   * Starts a worker and returns the trips that it advances per second: from the time at which it began the first
   * batch (which it stores in the batch's rows) to the last commit. Processor time counts from the moment at which
   * the worker reports ready until a poll finds no due trip.
   */
  async advanceAll(count: number): Promise<Rate> {
    const { endedAt, seconds } = await workedOff(this.postgres, this.product);
    const [row] = await this.query<{ done: number; begun_at: Date; warm: number }>(
      `SELECT count(*)::int AS done, min(t.updated_at) AS begun_at,
         (count(*) FILTER (WHERE c.properties @> '{"stage": "warm", "score": 7}'))::int AS warm
       FROM trips t JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.contact_id
       WHERE t.last_step = ${DONE_STEP} AND t.status = 'paused' AND t.resume_at > now() + interval '1 hour'`,
    );
    mustEqual('Trips that are parked again', row?.done ?? 0, count);
    mustEqual('Contacts that were updated', row?.warm ?? 0, count);
    const perSecond = (count * 1_000) / (endedAt - (row?.begun_at.getTime() ?? 0));
    return { perSecond, effort: { units: count, seconds } };
  }

  /**
   * Adds trips of which `perSecond` become due each second, starting some seconds from now.
   * @throws Error when the inserts took so long that the first trips were already due.
   */
  async addComing(count: number, perSecond: number): Promise<void> {
    const begun = performance.now();
    await this.insert(coming(perSecond), count);
    const took = performance.now() - begun;
    if (took > COMING_IN_MS) throw new Error(`Adding the trips that become due took ${Math.round(took)} ms.`);
  }

  /**
   * Waits until `count` trips have been advanced.
   * @returns the seconds from the end of each trip's wait to the commit, in ascending order.
   */
  async lags(count: number): Promise<number[]> {
    const timeoutAt = performance.now() + TIMEOUT_MS;
    for (;;) {
      const [row] = await this.query<{ done: number }>(
        `SELECT count(*)::int AS done FROM trips WHERE last_step = ${DONE_STEP} AND status = 'paused'`,
      );
      if (row?.done === count) break;
      if (performance.now() > timeoutAt)
        throw new Error(`Only ${row?.done} of ${count} trips were carried on.`);
      await sleep(1_000);
    }
    const rows = await this.query<{ lag: number }>(
      `SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin) - started_at)::float8 AS lag
       FROM trips WHERE last_step = ${DONE_STEP} ORDER BY lag`,
    );
    return rows.map(({ lag }) => lag);
  }

  private async insert(sql: string, count: number): Promise<void> {
    await this.query(sql, [this.product.workspaceId, this.flow.id, this.flow.version, count]);
  }

  private query<Row extends Record<string, unknown>>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.postgres.query<Row>(this.product.database, sql, values);
  }
}
