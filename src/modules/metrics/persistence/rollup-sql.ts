/**
 * The statements that maintain rollups: they add pending deltas, and correct rollups by recounting the source rows.
 * Generated from one description of each rollup's columns, which test/metrics/rollups.spec.ts compares with the tables.
 */
import { LEVELS, type RollupName } from '../domain/rollup.js';

interface RollupColumns {
  readonly dimensions: readonly string[];
  readonly counters: readonly string[];
  /**
   * Selects the tenant's source rows as hour, dimensions and counters, in this order, with one or more rows each; only
   * rows that no retention has deleted. The parameters are workspace and environment.
   */
  readonly facts: string;
}

const OF_TENANT = 'workspace_id = $1 AND environment = $2';

export const ROLLUP_COLUMNS: Readonly<Record<RollupName, RollupColumns>> = {
  email: {
    dimensions: ['source_id', 'template_slug', 'content_type', 'status', 'domain', 'tracked'],
    counters: ['messages', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
    facts: `
      SELECT date_trunc('hour', email_decided_at(l.status, l.sent_at, l.updated_at), 'UTC'),
        coalesce(l.source_id, '00000000-0000-0000-0000-000000000000'), l.template_slug, l.content_type, l.status, f.domain,
        l.tracked, 1, f.delivered, f.opened, f.clicked, f.bounced, f.complained, f.unsubscribed
      FROM email_logs l CROSS JOIN LATERAL email_fact(l.status, l.to_email, l.delivered_at, l.opened_at, l.clicked_at,
        l.bounced_at, l.bounce_kind, l.complained_at, l.unsubscribed_at) AS f
      WHERE l.workspace_id = $1 AND l.environment = $2 AND email_decided_at(l.status, l.sent_at, l.updated_at) IS NOT NULL`,
  },
  trip: {
    dimensions: ['flow_id', 'flow_version', 'status', 'ended_reason'],
    counters: ['trips', 'converted'],
    facts: `
      SELECT date_trunc('hour', started_at, 'UTC'), flow_id, flow_version, status, coalesce(ended_reason, ''), 1, converted::int
      FROM trips WHERE ${OF_TENANT}`,
  },
  step: {
    dimensions: ['flow_id', 'step_id'],
    counters: ['trips'],
    // A truncated trip history does not contain all steps: hours in which a flow has such a trip are left unchanged.
    facts: `
      SELECT date_trunc('hour', t.started_at, 'UTC'), t.flow_id, step, 1 FROM trips t CROSS JOIN LATERAL trail_steps(t.trail) AS step
      WHERE ${OF_TENANT} AND NOT EXISTS (
        SELECT FROM untold u WHERE u.flow_id = t.flow_id AND u.hour = date_trunc('hour', t.started_at, 'UTC'))`,
  },
  event: {
    dimensions: ['event_name'],
    counters: ['events'],
    facts: `SELECT date_trunc('hour', occurred_at, 'UTC'), event_name, 1 FROM events WHERE ${OF_TENANT}`,
  },
  contact: {
    dimensions: [],
    counters: ['created', 'unsubscribed', 'deleted', 'revived'],
    facts: `
      SELECT date_trunc('hour', created_at, 'UTC'), 1, 0, 0, 0 FROM contacts WHERE ${OF_TENANT}
      UNION ALL
      SELECT date_trunc('hour', at, 'UTC'), 0, (turn = 'unsubscribed')::int, (turn = 'deleted')::int, (turn = 'revived')::int
      FROM contact_turns WHERE ${OF_TENANT}`,
  },
};

/** Trips with a truncated history, by flow and hour. */
const TRUNCATED_TRIPS = `untold AS (
  SELECT DISTINCT flow_id, date_trunc('hour', started_at, 'UTC') AS hour FROM trips
  WHERE ${OF_TENANT} AND position('"gap"' IN trail) > 0), `;

/** The levels as rows: their unit, and whether domains are separate. Only emails have domains. */
function levelsOf(name: RollupName): string {
  const rows = [`(${LEVELS.day}, 'day', false)`, `(${LEVELS.hour}, 'hour', false)`];
  if (name === 'email')
    rows.push(`(${LEVELS.dayByDomain}, 'day', true)`, `(${LEVELS.hourByDomain}, 'hour', true)`);
  return `(VALUES ${rows.join(', ')}) AS l(level, unit, by_domain)`;
}

/** The most detailed level, from which the others are computed. */
function finestOf(name: RollupName): number {
  return name === 'email' ? LEVELS.hourByDomain : LEVELS.hour;
}

const sumsSql = (counters: readonly string[]): string => counters.map((name) => `sum(${name})`).join(', ');

const anyNonZeroSql = (counters: readonly string[], of: (name: string) => string): string =>
  counters.map((name) => `${of(name)} <> 0`).join(' OR ');

/** The columns that identify a rollup row within its tenant. */
const keyOf = (name: RollupName): string[] => ['level', 'at', ...ROLLUP_COLUMNS[name].dimensions, 'retired'];

/** Expands each row to every level. `rows` has the hour (`at`), dimensions, `retired` and counters. */
function expandLevelsSql(name: RollupName, rows: string): string {
  const { dimensions, counters } = ROLLUP_COLUMNS[name];
  const values = [...dimensions, 'retired'].map((each) =>
    each === 'domain' ? `CASE WHEN l.by_domain THEN t.domain ELSE '' END` : `t.${each}`,
  );
  return `SELECT l.level, date_trunc(l.unit, t.at, 'UTC'), ${values.join(', ')}, ${counters.map((each) => `t.${each}`).join(', ')}
    FROM ${rows} AS t CROSS JOIN ${levelsOf(name)}`;
}

/** Adds the rows of a query, which has the key and counters, to the rollup. */
function addToRollupSql(name: RollupName, query: string): string {
  const { counters } = ROLLUP_COLUMNS[name];
  const key = keyOf(name).join(', ');
  return `
    INSERT INTO ${name}_rollups AS r (workspace_id, environment, ${key}, ${counters.join(', ')})
    SELECT $1, $2, ${key}, ${sumsSql(counters)} FROM (${query}) AS n (${key}, ${counters.join(', ')})
    GROUP BY ${key} HAVING ${anyNonZeroSql(counters, (each) => `sum(${each})`)}
    ON CONFLICT (workspace_id, environment, ${key}) DO UPDATE SET
      ${counters.map((each) => `${each} = r.${each} + excluded.${each}`).join(', ')}`;
}

/** Deletes at most `$3` deltas and adds them to the rollup; returns their number. */
export function foldSql(name: RollupName): string {
  return `
  WITH taken AS (
    DELETE FROM ${name}_changes WHERE ${OF_TENANT} AND id IN (
      SELECT id FROM ${name}_changes WHERE ${OF_TENANT} ORDER BY id LIMIT $3) RETURNING *),
  added AS (${addToRollupSql(name, expandLevelsSql(name, 'taken'))} RETURNING 1)
  SELECT (SELECT count(*) FROM taken)::int AS taken, (SELECT count(*) FROM added)::int AS added`;
}

/**
 * Writes the difference between the source rows and rollup plus deltas as new deltas. A single statement sees rows and
 * deltas in one snapshot; concurrent changes write their own deltas.
 */
export function correctionSql(name: RollupName): string {
  const { dimensions, counters, facts } = ROLLUP_COLUMNS[name];
  const key = ['at', ...dimensions];
  const negatedColumns = [...key, ...counters.map((each) => `-${each}`)].join(', ');
  const hasFullHistory =
    name === 'step'
      ? 'AND NOT EXISTS (SELECT FROM untold u WHERE u.flow_id = k.flow_id AND u.hour = k.at)'
      : '';
  return `
  WITH ${name === 'step' ? TRUNCATED_TRIPS : ''}facts (${[...key, ...counters].join(', ')}) AS (${facts}),
  both_sides AS (
    SELECT * FROM facts
    UNION ALL SELECT ${negatedColumns} FROM ${name}_rollups k WHERE ${OF_TENANT} AND level = ${finestOf(name)} AND NOT retired ${hasFullHistory}
    UNION ALL SELECT ${negatedColumns} FROM ${name}_changes k WHERE ${OF_TENANT} AND NOT retired ${hasFullHistory})
  INSERT INTO ${name}_changes (workspace_id, environment, ${[...key, ...counters].join(', ')}, id)
  SELECT $1, $2, ${key.join(', ')}, ${sumsSql(counters)}, gen_random_uuid() FROM both_sides
  GROUP BY ${key.join(', ')} HAVING ${anyNonZeroSql(counters, (each) => `sum(${each})`)}`;
}

/** Corrects the other levels where they differ from the most detailed one; writes nothing if they agree. */
export function coarseCorrectionSql(name: RollupName): string {
  const { counters } = ROLLUP_COLUMNS[name];
  const finest = `(SELECT * FROM ${name}_rollups WHERE ${OF_TENANT} AND level = ${finestOf(name)})`;
  const negatedColumns = [...keyOf(name), ...counters.map((each) => `-${each}`)].join(', ');
  return addToRollupSql(
    name,
    `${expandLevelsSql(name, finest)} WHERE l.level <> ${finestOf(name)}
    UNION ALL SELECT ${negatedColumns} FROM ${name}_rollups WHERE ${OF_TENANT} AND level <> ${finestOf(name)}`,
  );
}

/** Deletes rollup rows whose counters are all zero. */
export function deleteEmptySql(name: RollupName): string {
  return `DELETE FROM ${name}_rollups WHERE ${OF_TENANT} AND NOT (${anyNonZeroSql(ROLLUP_COLUMNS[name].counters, (each) => each)})`;
}
