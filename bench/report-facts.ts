/**
 * The fixture of the reports benchmark: messages, trips, events and contacts of two tenants over a hundred days,
 * with the service's rollups of them. Plain statements insert the rows with change triggers disabled, and the
 * rollups are computed once afterwards: the benchmark needs the data, not the way in which it arrived.
 */
import pg from 'pg';

/** Number of facts of the first tenant; the second has a tenth. */
export interface FactSizes {
  readonly emails: number;
  readonly trips: number;
  readonly events: number;
  readonly contacts: number;
}

/** A share of the facts. */
export function shareOf({ emails, trips, events, contacts }: FactSizes, share: number): FactSizes {
  const part = (rows: number): number => Math.round(rows * share);
  return { emails: part(emails), trips: part(trips), events: part(events), contacts: part(contacts) };
}

export interface FactFlow {
  readonly id: string;
  readonly version: number;
  /** Number of steps that send. A wait step follows each but the last, so steps that send have odd ids. */
  readonly sends: number;
}

export interface FactTenant {
  readonly workspaceId: string;
  readonly flows: readonly FactFlow[];
  readonly campaignIds: readonly string[];
  readonly sizes: FactSizes;
}

export const TEMPLATES = 60;
export const SLUG = 'template-';
const DAYS = 100;
const CONTACT_DAYS = 730;
/** Two in five contacts were created in the last weeks. */
const RECENT_DAYS = 84;
const MOST_SENDS = 6;

/**
 * SQL functions. The first returns the age in days of the fact at a given share of the whole, with most facts in
 * the UTC afternoon. The others return the number of contacts that existed at an age, and the age of a contact.
 * Contacts are numbered from 1 in order of creation.
 */
const FUNCTIONS = `
SET work_mem = '512MB'; SET maintenance_work_mem = '1GB';
CREATE FUNCTION pg_temp.rhythm(share float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT ${DAYS} - share * ${DAYS} - 0.095 * (sin(6.283185307 * (share * ${DAYS} - 0.083)) + 0.4984) $$;
CREATE FUNCTION pg_temp.known(age float8, contacts int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT contacts * CASE WHEN age > ${RECENT_DAYS} THEN 0.6 * (${CONTACT_DAYS} - age) / (${CONTACT_DAYS - RECENT_DAYS})
    ELSE 1 - 0.4 * age / ${RECENT_DAYS} END $$;
CREATE FUNCTION pg_temp.contact_age(i int, contacts int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN (i - 0.5) / contacts < 0.6 THEN ${CONTACT_DAYS} - (i - 0.5) / contacts / 0.6 * (${CONTACT_DAYS - RECENT_DAYS})
    ELSE (1 - (i - 0.5) / contacts) / 0.4 * ${RECENT_DAYS} END $$;
CREATE FUNCTION pg_temp.contact_id(i int, workspace_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (left(workspace_id::text, 8) || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid $$;
CREATE FUNCTION pg_temp.address(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'user.' || i || '@' || CASE WHEN i % 100 < 72 THEN ('{gmail.com,gmail.com,gmail.com,outlook.com,hotmail.com,yahoo.com,icloud.com,web.example}'::text[])[1 + i % 8]
    ELSE 'company-' || ((i::bigint * 31) % 2660) * ((i::bigint * 31) % 2660) / 2660 || '.example' END $$`;

const CONTACTS = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, last_name, subscription_status, timezone, locale,
  properties, tags, created_at, updated_at)
SELECT $1, 'live', pg_temp.contact_id(i, $1), 'user-' || i, pg_temp.address(i), 'User' || i, 'Example',
  CASE WHEN i % 40 = 0 THEN 'unsubscribed' ELSE 'subscribed' END, (ARRAY['Europe/Berlin', 'America/New_York', 'UTC'])[1 + i % 3],
  (ARRAY['de', 'en', 'fr'])[1 + i % 3], jsonb_build_object('plan', CASE WHEN i % 5 = 0 THEN 'pro' ELSE 'free' END, 'seats', i % 50),
  CASE WHEN i % 2 = 0 THEN '{vip,beta}'::text[] ELSE '{beta}' END, at, at
FROM (SELECT i, $3::timestamptz - pg_temp.contact_age(i, $2::int) * interval '24 hours' AS at
  FROM generate_series(1, $2::int) AS i OFFSET 0) AS c`;

/** Newer contacts are more likely to be chosen. */
const EMAILS = `
INSERT INTO email_logs (workspace_id, id, environment, source_id, origin, origin_id, origin_step, contact_id, trigger_event_id,
  template_slug, template_version, content_type, priority, options, status, to_email, from_email, subject, message_id, attempts,
  next_attempt_at, transport, error_code, error_detail, suppressed_reason, created_at, updated_at, sent_at, counts, charged_at,
  delivered_at, opened_at, opens, clicked_at, clicks, bounced_at, bounce_kind, bounce_code, bounce_detail, complained_at, unsubscribed_at)
SELECT $1, id, 'live', CASE origin WHEN 'trip' THEN flow_id WHEN 'campaign' THEN campaign_id END, origin, gen_random_uuid(),
  CASE origin WHEN 'trip' THEN 2 * send + 1 ELSE 0 END, pg_temp.contact_id(contact, $1),
  CASE origin WHEN 'trip' THEN gen_random_uuid() END,
  '${SLUG}' || CASE origin WHEN 'trip' THEN (flow * 3 + send) % ${TEMPLATES} WHEN 'campaign' THEN (campaign * 2 + 1) % ${TEMPLATES} ELSE 7 END,
  1 + flow % 4, CASE WHEN promotional THEN 'promotional' ELSE 'transactional' END, promotional::int,
  CASE origin
    WHEN 'trip' THEN '{"emailSendSettings": {"ignoreFrequencyCapping": true, "countForFrequencyCapping": false, "ignoreDnd": true}}'::jsonb
    WHEN 'campaign' THEN '{"frozen_template_id": "0198f3a4-7c1e-7b61-9a3e-4f5f0c0f0001"}'::jsonb ELSE '{}'::jsonb END,
  status, pg_temp.address(contact), 'news@bench.example.test', 'User' || contact || ', your picks of this week are ready for you',
  '<' || id || '@mail.example.test>', (status = 'sent')::int, at, CASE WHEN status = 'sent' THEN 'smtp' END,
  CASE status WHEN 'failed' THEN 'recipient_refused' END, CASE status WHEN 'failed' THEN '550 5.1.1 The mailbox does not exist' END,
  CASE status WHEN 'suppressed' THEN 'unsubscribed' END, at - interval '4 seconds',
  CASE WHEN status = 'sent' THEN coalesce(clicked_at, opened_at, at + interval '3 seconds') ELSE at END, CASE WHEN status = 'sent' THEN at END,
  promotional, CASE WHEN status = 'sent' THEN at END, CASE WHEN is_delivered THEN at + interval '3 seconds' END,
  opened_at, (opened_at IS NOT NULL)::int, clicked_at, (clicked_at IS NOT NULL)::int,
  CASE WHEN is_bounced THEN at + interval '2 seconds' END,
  CASE WHEN is_bounced THEN CASE WHEN fate < 0.007 THEN 'hard' ELSE 'soft' END END, CASE WHEN is_bounced THEN '5.1.1' END,
  CASE WHEN is_bounced THEN '550 5.1.1 The mailbox does not exist' END,
  CASE WHEN is_delivered AND fate BETWEEN 0.01 AND 0.0105 THEN at + interval '1 hour' END,
  CASE WHEN is_delivered AND fate BETWEEN 0.0105 AND 0.0135 THEN at + interval '30 minutes' END
FROM (
  SELECT *, uuidv7(at - now()) AS id, ($4::uuid[])[flow + 1] AS flow_id, ($6::uuid[])[campaign + 1] AS campaign_id,
    floor(($5::int[])[flow + 1] * picked * picked)::int AS send, origin = 'campaign' OR flow % 2 = 0 AS promotional,
    1 + floor((pg_temp.known(age, $7::int) - 1) * (1 - person * person))::int AS contact,
    status = 'sent' AND fate < 0.01 AS is_bounced, status = 'sent' AND fate > 0.008 AND fate < 0.99 AS is_delivered,
    CASE WHEN status = 'sent' AND fate > 0.01 AND eagerness < 0.3 AND eagerness > 0.001 THEN least(at + speed ^ 4 * interval '48 hours', $3) END AS opened_at,
    CASE WHEN status = 'sent' AND fate > 0.01 AND eagerness < 0.05 THEN least(at + speed ^ 4 * interval '50 hours', $3) END AS clicked_at
  FROM (
    SELECT *, $3::timestamptz - age * interval '24 hours' AS at, floor(${DAYS} - age)::int % cardinality($6::uuid[]) AS campaign,
      CASE WHEN outcome < 0.95 THEN 'sent' WHEN outcome < 0.98 THEN 'suppressed' WHEN outcome < 0.995 THEN 'failed'
        WHEN outcome < 0.998 THEN 'unknown' ELSE 'cancelled' END AS status,
      CASE WHEN kind < 0.6 THEN 'trip' WHEN kind < 0.95 THEN 'campaign' ELSE 'direct' END AS origin,
      floor(cardinality($4::uuid[]) * which ^ 1.5)::int AS flow
    FROM (
      SELECT pg_temp.rhythm((i - 0.5) / $2::int) AS age, random() AS kind, random() AS which, random() AS picked, random() AS person,
        random() AS outcome, random() AS fate, random() AS eagerness, random() AS speed
      FROM generate_series(1, $2::int) AS i) AS drawn OFFSET 0) AS decided OFFSET 0) AS e`;

/** The history of each step: that it sent and the outcome of the message, or until when it waits. */
const TRAIL = Array.from({ length: 2 * MOST_SENDS - 1 }, (_, index) => {
  const step = index + 1;
  const at = `'[' || begun + ${Math.floor(index / 2) * 86_400_000 + (index % 2) * 45}`;
  const lines =
    step % 2 === 1
      ? `${at} || ',${step},"sent"]' || E'\\n[' || begun + ${Math.floor(index / 2) * 86_400_000 + 3_000} || E',${step},"message_sent"]\\n'`
      : `${at} || ',${step},"parked",{"resume_at":"' || resume || E'"}]\\n'`;
  return `CASE WHEN reached >= ${step} THEN ${lines} ELSE '' END`;
}).join(' || ');

/** Flows 0 to 3 have goals, which one trip in five reaches. */
const TRIPS = `
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step, resume_at,
  started_at, updated_at, completed_at, ended_reason, trail, converted)
SELECT $1, uuidv7(at - now()), 'live', ($4::uuid[])[flow + 1], ($6::int[])[flow + 1],
  pg_temp.contact_id(1 + floor((pg_temp.known(age, $7::int) - 1) * (1 - person * person))::int, $1), gen_random_uuid(),
  status, reached, CASE status WHEN 'active' THEN $3 + interval '2 days' END, at, least(at + reached * interval '12 hours', $3),
  CASE WHEN status <> 'active' THEN least(at + reached * interval '12 hours', $3) END,
  CASE status WHEN 'completed' THEN 'finished' WHEN 'terminated' THEN 'removed' WHEN 'failed' THEN 'template_not_found' END,
  ${TRAIL} || CASE WHEN status IN ('terminated', 'failed') THEN '[' || begun + 90000000 || E',0,"ended",{"reason":"removed"}]\\n' ELSE '' END,
  flow < 4 AND luck < 0.2
FROM (
  SELECT *, (extract(epoch FROM at) * 1000)::bigint AS begun, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS resume,
    CASE WHEN status = 'completed' THEN 2 * ($5::int[])[flow + 1] - 1 ELSE 1 + floor((2 * ($5::int[])[flow + 1] - 1) * progress)::int END AS reached
  FROM (
    SELECT *, $3::timestamptz - age * interval '24 hours' AS at, floor(cardinality($4::uuid[]) * which ^ 1.5)::int AS flow,
      CASE WHEN outcome < 0.7 THEN 'completed' WHEN outcome < 0.85 THEN 'terminated' WHEN outcome < 0.88 THEN 'failed' ELSE 'active' END AS status
    FROM (
      SELECT pg_temp.rhythm((i - 0.5) / $2::int) AS age, random() AS which, random() AS person, random() AS outcome,
        random() AS progress, random() AS luck
      FROM generate_series(1, $2::int) AS i) AS drawn OFFSET 0) AS decided OFFSET 0) AS t`;

/**
 * Every converted trip reaches one of its flow's goals, one in twenty reaches both, and one in fifteen by two
 * events.
 */
const CONVERSIONS = `
INSERT INTO goal_conversions (workspace_id, environment, trip_id, goal_id, event_id, entered_at, occurred_at,
  counts_trip, counts_event, recorded_at)
SELECT t.workspace_id, t.environment, t.id, g.id, gen_random_uuid(), t.started_at,
  least(t.started_at + n * interval '11 hours', $1::timestamptz), n = 1, true, now()
FROM (SELECT *, row_number() OVER () AS i FROM trips WHERE converted) AS t
JOIN flow_goals g ON g.workspace_id = t.workspace_id AND g.flow_id = t.flow_id
  AND (g.position = CASE WHEN t.i % 4 = 0 THEN 1 ELSE 0 END OR t.i % 20 = 1)
CROSS JOIN generate_series(1, CASE WHEN t.i % 15 = 0 THEN 2 ELSE 1 END) AS n`;

const EVENTS = `
INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
SELECT $1, uuidv7(at - now()), 'live', 'user-' || 1 + floor((pg_temp.known(age, $4::int) - 1) * (1 - person * person))::int,
  'event_' || floor(40 * which * which)::int,
  jsonb_build_object('page', '/products/' || floor(5000 * which)::int, 'referrer', 'https://www.example.test/catalogue', 'amount', floor(10000 * person) / 100),
  at, at + interval '80 milliseconds', at + interval '300 milliseconds'
FROM (SELECT *, $3::timestamptz - age * interval '24 hours' AS at FROM (
    SELECT pg_temp.rhythm((i - 0.5) / $2::int) AS age, random() AS which, random() AS person
    FROM generate_series(1, $2::int) AS i) AS drawn OFFSET 0) AS e`;

/**
 * Rollups by hour, added up by day. Where recipients' domains are a dimension, there is a second level without
 * them.
 */
function levels(hours: string, dimensions: readonly string[], counters: readonly string[]): string {
  const domain = dimensions.includes('domain');
  const others = dimensions.filter((name) => name !== 'domain');
  const sums = counters.map((name) => `sum(${name})`).join(', ');
  const level = (number: number, unit: string, withDomain: boolean): string => {
    const by = [...others, ...(domain ? [withDomain ? 'domain' : `''`] : [])];
    const groups = Array.from({ length: 4 + by.length }, (_, index) => index + 1).join(', ');
    return `SELECT workspace_id, environment, ${number}, date_trunc('${unit}', at, 'UTC'), ${by.map((name) => `${name}, `).join('')}false, ${sums}
      FROM hours GROUP BY ${groups}`;
  };
  return `WITH hours AS MATERIALIZED (${hours}) ${[
    level(0, 'day', false),
    level(1, 'hour', false),
    ...(domain ? [level(2, 'day', true), level(3, 'hour', true)] : []),
  ].join(' UNION ALL ')}`;
}

function rollup(
  name: string,
  dimensions: readonly string[],
  counters: readonly string[],
  hours: string,
): string {
  const columns = [
    ...['workspace_id', 'environment', 'level', 'at'],
    ...[...dimensions.filter((each) => each !== 'domain'), ...dimensions.filter((each) => each === 'domain')],
    ...['retired', ...counters],
  ];
  return `INSERT INTO ${name}_rollups (${columns.join(', ')}) ${levels(hours, dimensions, counters)}`;
}

const EMAIL_SUMS = rollup(
  'email',
  ['source_id', 'template_slug', 'content_type', 'status', 'domain'],
  ['messages', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
  `SELECT workspace_id, environment, date_trunc('hour', email_decided_at(status, sent_at, updated_at), 'UTC') AS at,
     coalesce(source_id, '00000000-0000-0000-0000-000000000000') AS source_id, template_slug, content_type, status, f.domain,
     count(*) AS messages, sum(f.delivered) AS delivered, sum(f.opened) AS opened, sum(f.clicked) AS clicked,
     sum(f.bounced) AS bounced, sum(f.complained) AS complained, sum(f.unsubscribed) AS unsubscribed
   FROM email_logs CROSS JOIN LATERAL email_fact(status, to_email, delivered_at, opened_at, clicked_at, bounced_at, bounce_kind,
     complained_at, unsubscribed_at) AS f
   WHERE status IN ('sent', 'suppressed', 'failed') GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
);

/** Rollups of trips; the benchmark of goals uses them, too. */
export const TRIP_SUMS = rollup(
  'trip',
  ['flow_id', 'flow_version', 'status', 'ended_reason'],
  ['trips', 'converted'],
  `SELECT workspace_id, environment, date_trunc('hour', started_at, 'UTC') AS at, flow_id, flow_version, status,
     coalesce(ended_reason, '') AS ended_reason, count(*) AS trips, count(*) FILTER (WHERE converted) AS converted
   FROM trips GROUP BY 1, 2, 3, 4, 5, 6, 7`,
);

/** These flows have no branches: a trip has taken all steps up to its last. */
const STEP_SUMS = rollup(
  'step',
  ['flow_id', 'step_id'],
  ['trips'],
  `SELECT workspace_id, environment, at, flow_id, step AS step_id, sum(trips) AS trips FROM (
     SELECT workspace_id, environment, date_trunc('hour', started_at, 'UTC') AS at, flow_id, last_step, count(*) AS trips
     FROM trips GROUP BY 1, 2, 3, 4, 5) AS ended
   CROSS JOIN LATERAL generate_series(1, last_step) AS step GROUP BY 1, 2, 3, 4, 5`,
);

const EVENT_SUMS = rollup(
  'event',
  ['event_name'],
  ['events'],
  `SELECT workspace_id, environment, date_trunc('hour', occurred_at, 'UTC') AS at, event_name, count(*) AS events
   FROM events GROUP BY 1, 2, 3, 4`,
);

const CONTACT_SUMS = rollup(
  'contact',
  [],
  ['created', 'unsubscribed', 'deleted', 'revived'],
  `SELECT workspace_id, environment, date_trunc('hour', created_at, 'UTC') AS at, count(*) AS created,
     count(*) FILTER (WHERE subscription_status = 'unsubscribed') AS unsubscribed, 0 AS deleted, 0 AS revived
   FROM contacts GROUP BY 1, 2, 3`,
);

const STATUS_CHANGES = `
INSERT INTO contact_turns (workspace_id, environment, id, contact_id, at, turn)
SELECT workspace_id, environment, gen_random_uuid(), id, created_at, subscription_status FROM contacts WHERE subscription_status <> 'subscribed'`;

export const GOAL_HOURS = `
INSERT INTO goal_hours (workspace_id, environment, goal_id, hour, trips, events)
SELECT workspace_id, environment, goal_id, hour, sum(trips), sum(events) FROM (
  SELECT workspace_id, environment, goal_id, date_trunc('hour', entered_at, 'UTC') AS hour, 1 AS trips, 0 AS events
  FROM goal_conversions WHERE counts_trip
  UNION ALL
  SELECT workspace_id, environment, goal_id, date_trunc('hour', occurred_at, 'UTC'), 0, 1
  FROM goal_conversions WHERE counts_event) AS one GROUP BY 1, 2, 3, 4`;

/** For events it is enough to know that something was done; a click counts as an open. */
const ACTIVITY = `
INSERT INTO contact_activity (workspace_id, environment, level, start, contact_id, created_on, events, opened, clicked)
WITH acts AS (
  SELECT k.workspace_id, k.environment, (e.occurred_at AT TIME ZONE 'UTC')::date AS start, k.id AS contact_id, 1 AS events, 0 AS opened, 0 AS clicked
  FROM events e JOIN contacts k ON k.workspace_id = e.workspace_id AND k.environment = e.environment AND k.external_id = e.external_id
  UNION ALL SELECT workspace_id, environment, (coalesce(opened_at, clicked_at) AT TIME ZONE 'UTC')::date, contact_id, 0, 1, 0
  FROM email_logs WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL
  UNION ALL SELECT workspace_id, environment, (clicked_at AT TIME ZONE 'UTC')::date, contact_id, 0, 0, 1 FROM email_logs WHERE clicked_at IS NOT NULL),
days AS MATERIALIZED (
  SELECT workspace_id, environment, start, contact_id, max(events) AS events, sum(opened) AS opened, sum(clicked) AS clicked FROM acts GROUP BY 1, 2, 3, 4),
whole AS (
  SELECT workspace_id, environment, 0 AS level, start, contact_id, events, opened, clicked FROM days
  UNION ALL
  SELECT workspace_id, environment, 1, date_trunc('week', start::timestamp)::date, contact_id, max(events), sum(opened), sum(clicked)
  FROM days GROUP BY 1, 2, 4, 5)
SELECT w.workspace_id, w.environment, w.level, w.start, w.contact_id, (k.created_at AT TIME ZONE 'UTC')::date, w.events, w.opened, w.clicked
FROM whole w JOIN contacts k ON k.workspace_id = w.workspace_id AND k.id = w.contact_id`;

const FACTS = [
  'contacts',
  'email_logs',
  'trips',
  'goal_conversions',
  'events',
  'email_rollups',
  'trip_rollups',
  'step_rollups',
  'event_rollups',
  'contact_rollups',
  'contact_turns',
  'contact_activity',
  'goal_hours',
];

/**
 * Fills the tables of a database whose flows and goals exist, and replaces the rows that are there.
 * @param until midnight UTC; all facts are earlier.
 * @returns lines about the time and space that it took.
 */
export async function fillFacts(
  databaseUrl: string,
  tenants: readonly FactTenant[],
  until: Date,
): Promise<string[]> {
  const begun = performance.now();
  const log: string[] = [];
  const note = (what: string): void =>
    void log.push(`${what} after ${Math.round((performance.now() - begun) / 1_000)} s`);
  const sessions = [0, 1].map(() => new pg.Client({ connectionString: databaseUrl }));
  const [first, second] = sessions as [pg.Client, pg.Client];
  await Promise.all(sessions.map((session) => session.connect()));
  try {
    for (const session of sessions) await session.query(FUNCTIONS);
    const each = async (
      session: pg.Client,
      table: string,
      sql: string,
      values: (tenant: FactTenant) => unknown[],
    ): Promise<void> => {
      await anew(session, table, async () => {
        for (const tenant of tenants) await session.query(sql, [tenant.workspaceId, ...values(tenant)]);
        note(`rows of ${table}`);
      });
      note(table);
    };
    const sums = async (session: pg.Client, table: string, sql: string): Promise<void> => {
      await anew(session, table, async () => void (await session.query(sql)));
      note(table);
    };
    const ids = ({ flows }: FactTenant): string[] => flows.map(({ id }) => id);
    const sends = ({ flows }: FactTenant): number[] => flows.map((flow) => flow.sends);
    const logged = (): Promise<void> =>
      each(first, 'email_logs', EMAILS, (tenant) => [
        ...[tenant.sizes.emails, until, ids(tenant), sends(tenant), tenant.campaignIds],
        tenant.sizes.contacts,
      ]);
    const others = async (): Promise<void> => {
      await each(second, 'contacts', CONTACTS, ({ sizes }) => [sizes.contacts, until]);
      await each(second, 'trips', TRIPS, (tenant) => [
        ...[
          tenant.sizes.trips,
          until,
          ids(tenant),
          sends(tenant),
          tenant.flows.map(({ version }) => version),
        ],
        tenant.sizes.contacts,
      ]);
      await anew(second, 'goal_conversions', async () => void (await second.query(CONVERSIONS, [until])));
      await each(second, 'events', EVENTS, ({ sizes }) => [sizes.events, until, sizes.contacts]);
      await sums(second, 'contact_turns', STATUS_CHANGES);
      await sums(second, 'trip_rollups', TRIP_SUMS);
      await sums(second, 'step_rollups', STEP_SUMS);
      await sums(second, 'event_rollups', EVENT_SUMS);
      await sums(second, 'contact_rollups', CONTACT_SUMS);
      await sums(second, 'goal_hours', GOAL_HOURS);
    };
    await Promise.all([logged(), others()]);
    await Promise.all([sums(first, 'email_rollups', EMAIL_SUMS), sums(second, 'contact_activity', ACTIVITY)]);
    await Promise.all([
      first.query('VACUUM ANALYZE email_logs'),
      (async () => {
        for (const table of [...FACTS, 'flows', 'flow_goals'])
          if (table !== 'email_logs') await second.query(`VACUUM ANALYZE ${table}`);
      })(),
    ]);
    for (const table of FACTS) await first.query(`ALTER TABLE ${table} RESET (autovacuum_enabled)`);
    await first.query('CHECKPOINT');
    note('everything');
    return [...log, ...(await sizesOf(first))];
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
}

/**
 * Empties and fills a table in one transaction. Triggers are disabled and indexes are built afterwards, so that
 * the rows are not written to the log.
 */
async function anew(session: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await session.query<{ drop: string; create: string }>(
    `SELECT CASE WHEN c.oid IS NULL THEN 'DROP INDEX ' || i.indexrelid::regclass
         ELSE 'ALTER TABLE ' || i.indrelid::regclass || ' DROP CONSTRAINT ' || quote_ident(c.conname) END AS drop,
       CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
         ELSE 'ALTER TABLE ' || i.indrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid) END AS create
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid
     WHERE i.indrelid = $1::regclass ORDER BY i.indisprimary DESC, 2`,
    [table],
  );
  await session.query(
    `BEGIN; TRUNCATE ${table}; ALTER TABLE ${table} DISABLE TRIGGER USER, SET (autovacuum_enabled = false)`,
  );
  for (const { drop } of indexes) await session.query(drop);
  await fill();
  for (const { create } of indexes) await session.query(create);
  await session.query(`ALTER TABLE ${table} ENABLE TRIGGER USER; COMMIT`);
}

async function sizesOf(session: pg.Client): Promise<string[]> {
  const { rows } = await session.query<{ line: string }>(
    `SELECT relname || ': ' || to_char(greatest(reltuples, 0), 'FM999,999,999') || ' rows, ' || pg_size_pretty(pg_relation_size(oid)) ||
       ' and ' || pg_size_pretty(pg_indexes_size(oid)) || ' of indexes' AS line
     FROM pg_class WHERE oid = ANY ($1::text[]::regclass[]) ORDER BY pg_total_relation_size(oid) DESC`,
    [FACTS],
  );
  const { rows: whole } = await session.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  return [...rows.map(({ line }) => line), `the database: ${whole[0]?.size}`];
}
