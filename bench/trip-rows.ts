/**
 * Trips put straight into the table, since a wait of an hour cannot be waited for, and the time that a worker takes
 * to carry all that are due one step further.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPostgres } from './postgres.js';
import { watched, type Rate } from './processor-time.js';
import type { FlowIdentity, Product } from './product.js';
import { mustEqual } from './run.js';

/** A trip that is due stands behind the first wait; the worker updates its contact and parks it again. */
const STEPS = [
  { type: 'wait', duration: '1h' },
  { type: 'update_contact', set: { stage: 'warm', score: 7 } },
  { type: 'wait', duration: '2h' },
] as const;
/** Ids of steps: their places, from 1, in a flow that was never changed. */
const DUE_STEP = 1;
const DONE_STEP = STEPS.length;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 180_000;

const DUE = `
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
  now() - make_interval(secs => 1 + ($4 - p.number) / 1000.0), now() - interval '1 hour', now() - interval '1 hour'
FROM people p JOIN happened h USING (external_id) ORDER BY p.number`;

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

  /** Makes the flow over HTTP, as anybody does. */
  static async open(postgres: BenchPostgres, product: Product): Promise<TripRows> {
    const api = await product.startApi();
    const flow = await product.activeFlow(api, 'trip_began', STEPS);
    await api.stop();
    return new TripRows(postgres, product, flow);
  }

  /** Adds trips that become due in a day and later. */
  async park(count: number): Promise<void> {
    await this.insert(PARKED, count);
    await this.query('VACUUM ANALYZE trips');
  }

  /** Takes away those that have been carried on, and adds this many that are due. */
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
   * Starts a worker and gives the trips a second that it carries on: from the moment at which it began with the
   * first batch (it notes that moment in the batch's rows) until a look finds no trip that is due. The processor time
   * counts from the moment at which the worker says that it is ready.
   */
  async advanceAll(count: number): Promise<Rate> {
    const worker = await this.product.startWorker('trips');
    const processes = { worker: worker.pid, PostgreSQL: this.postgres.pid };
    const { result: endedAt, seconds } = await watched(processes, () => this.untilNoneIsDue());
    await worker.stop();
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

  /** @returns the Unix time in milliseconds at which a look found none. */
  private async untilNoneIsDue(): Promise<number> {
    const patience = performance.now() + PATIENCE_MS;
    while (await this.anyDue()) {
      if (performance.now() > patience)
        throw new Error('The worker does not come to an end with the due trips.');
      await sleep(LOOK_EVERY_MS);
    }
    return Date.now();
  }

  private async anyDue(): Promise<boolean> {
    const [row] = await this.query<{ due: boolean }>(
      `SELECT EXISTS (SELECT FROM trips WHERE workspace_id = $1 AND environment = 'live' AND resume_at <= now()) AS due`,
      [this.product.workspaceId],
    );
    return row?.due ?? false;
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
