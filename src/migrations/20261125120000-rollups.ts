/**
 * What reports count, added up by the hour and by the day, and by what people group by. Triggers of the tables that hold the
 * facts note what each statement changes, summed up, in its own transaction, whichever code it is of; a worker adds the notes to the sums
 * by and by, and whoever reads takes both together, so that no figure lags. Rows that retention deletes move to the `retired`
 * part of the sums, so that these can be counted anew from what is still there.
 *
 * Beside them reports themselves, their links, schedules and mails, and who was active when.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  OF_WORKSPACE,
  protect,
  READER_ROLE,
} from './frozen/20261121120000-tenant-tables.js';

/** What is summed up of a table: by which columns, in which figures. */
interface Rollup {
  readonly name: string;
  readonly dimensions: readonly (readonly [name: string, type: string])[];
  readonly counters: readonly string[];
}

const ROLLUPS: readonly Rollup[] = [
  {
    name: 'email',
    dimensions: [
      ['source_id', 'uuid'],
      ['template_slug', 'text'],
      ['content_type', 'text'],
      ['status', 'text'],
      ['domain', 'text'],
    ],
    counters: ['messages', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
  },
  {
    name: 'trip',
    dimensions: [
      ['flow_id', 'uuid'],
      ['flow_version', 'integer'],
      ['status', 'text'],
      ['ended_reason', 'text'],
    ],
    counters: ['trips', 'converted'],
  },
  {
    name: 'step',
    dimensions: [
      ['flow_id', 'uuid'],
      ['step_id', 'integer'],
    ],
    counters: ['trips'],
  },
  { name: 'event', dimensions: [['event_name', 'text']], counters: ['events'] },
  { name: 'contact', dimensions: [], counters: ['created', 'unsubscribed', 'deleted', 'revived'] },
];

const list = (names: readonly string[]): string => names.map((name) => `${name}, `).join('');
const namesOf = ({ dimensions }: Rollup): string[] => dimensions.map(([name]) => name);

/**
 * Levels of the sums: 0 by the day and 1 by the hour of UTC; of emails these leave the recipients' domain empty, and 2 and 3 are
 * by the day and the hour with it.
 */
function tablesOf(rollup: Rollup): string {
  const columns = rollup.dimensions.map(([name, type]) => `${name} ${type} NOT NULL, `).join('');
  const counters = (type: string): string =>
    rollup.counters.map((name) => `${name} ${type} NOT NULL DEFAULT 0`).join(', ');
  return `
CREATE TABLE ${rollup.name}_rollups (
  workspace_id uuid NOT NULL, environment text NOT NULL, level smallint NOT NULL, at timestamptz(3) NOT NULL, ${columns}
  retired boolean NOT NULL, ${counters('bigint')},
  PRIMARY KEY (workspace_id, environment, level, at, ${list(namesOf(rollup))}retired)) WITH (fillfactor = 80);
CREATE TABLE ${rollup.name}_changes (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL,
  at timestamptz(3) NOT NULL, ${columns}retired boolean NOT NULL DEFAULT false, ${counters('integer')},
  PRIMARY KEY (workspace_id, environment, id)) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);`;
}

/** What a message counts as: nothing until it is decided, and then on the hour at which it was. Section 6.2's words as figures. */
const EMAIL_FACT = `
CREATE FUNCTION email_decided_at(status text, sent_at timestamptz, updated_at timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status = 'sent' THEN sent_at WHEN status IN ('suppressed', 'failed') THEN updated_at END $$;

CREATE FUNCTION email_fact(status text, to_email text, delivered_at timestamptz, opened_at timestamptz, clicked_at timestamptz,
    bounced_at timestamptz, bounce_kind text, complained_at timestamptz, unsubscribed_at timestamptz)
  RETURNS TABLE (domain text, delivered integer, opened integer, clicked integer, bounced integer, complained integer, unsubscribed integer)
  LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(coalesce(substring(to_email FROM '[^@]*$'), '')),
    (status = 'sent' AND delivered_at IS NOT NULL)::int,
    (status = 'sent' AND (opened_at IS NOT NULL OR clicked_at IS NOT NULL))::int,
    (status = 'sent' AND clicked_at IS NOT NULL)::int,
    (status = 'sent' AND bounced_at IS NOT NULL AND (coalesce(bounce_kind, '') = 'hard' OR delivered_at IS NULL OR delivered_at < bounced_at))::int,
    (status = 'sent' AND complained_at IS NOT NULL)::int,
    (status = 'sent' AND unsubscribed_at IS NOT NULL)::int $$;
`;

const EMAIL_COLUMNS = `workspace_id, environment, source_id, template_slug, content_type, status, to_email, sent_at, updated_at, delivered_at,
    opened_at, clicked_at, bounced_at, bounce_kind, complained_at, unsubscribed_at`;
const DECIDED = `status IN ('sent', 'suppressed', 'failed')`;

/** The changes of a statement: what its rows were is taken away, what they are is added. */
function emailChanges(parts: readonly (readonly [sign: number, rows: string, retired: boolean])[]): string {
  const rows = parts.map(
    ([sign, name, retired]) =>
      `SELECT ${sign} AS sign, ${retired} AS retired, ${EMAIL_COLUMNS} FROM ${name} WHERE ${DECIDED}`,
  );
  const sum = (of: string): string => `sum(c.sign * ${of})`;
  const counters = ['f.delivered', 'f.opened', 'f.clicked', 'f.bounced', 'f.complained', 'f.unsubscribed'];
  return `
  INSERT INTO email_changes (workspace_id, environment, at, source_id, template_slug, content_type, status, domain, retired,
    messages, delivered, opened, clicked, bounced, complained, unsubscribed, id)
  SELECT c.workspace_id, c.environment, date_trunc('hour', email_decided_at(c.status, c.sent_at, c.updated_at), 'UTC'),
    coalesce(c.source_id, '00000000-0000-0000-0000-000000000000'), c.template_slug, c.content_type, c.status, f.domain, c.retired,
    sum(c.sign), ${counters.map(sum).join(', ')}, gen_random_uuid()
  FROM (${rows.join(' UNION ALL ')}) AS c
  CROSS JOIN LATERAL email_fact(c.status, c.to_email, c.delivered_at, c.opened_at, c.clicked_at, c.bounced_at, c.bounce_kind,
    c.complained_at, c.unsubscribed_at) AS f
  WHERE email_decided_at(c.status, c.sent_at, c.updated_at) IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  HAVING sum(c.sign) <> 0 OR ${counters.map((of) => `${sum(of)} <> 0`).join(' OR ')};`;
}

function tripChanges(parts: readonly (readonly [sign: number, rows: string, retired: boolean])[]): string {
  const rows = parts.map(
    ([sign, name, retired]) =>
      `SELECT ${sign} AS sign, ${retired} AS retired, workspace_id, environment, started_at, flow_id, flow_version, status,
        ended_reason, converted FROM ${name}`,
  );
  return `
  INSERT INTO trip_changes (workspace_id, environment, at, flow_id, flow_version, status, ended_reason, retired, trips, converted, id)
  SELECT c.workspace_id, c.environment, date_trunc('hour', c.started_at, 'UTC'), c.flow_id, c.flow_version, c.status,
    coalesce(c.ended_reason, ''), c.retired, sum(c.sign), sum(c.sign * c.converted::int), gen_random_uuid()
  FROM (${rows.join(' UNION ALL ')}) AS c
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(c.sign) <> 0 OR sum(c.sign * c.converted::int) <> 0;`;
}

/** The steps that a trip has taken, as its trail tells: a line each at least. */
const TRAIL_STEPS = `
CREATE FUNCTION trail_steps(trail text) RETURNS SETOF integer LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT line[1]::int FROM regexp_matches(trail, '^\\[\\d+,([1-9]\\d*),', 'gn') AS line $$;
`;

/** They stay counted, as the trip does. */
const STEPS_DELETED = `
  INSERT INTO step_changes (workspace_id, environment, at, flow_id, step_id, retired, trips, id)
  SELECT o.workspace_id, o.environment, date_trunc('hour', o.started_at, 'UTC'), o.flow_id, step, part.retired,
    count(*) * CASE WHEN part.retired THEN 1 ELSE -1 END, gen_random_uuid()
  FROM old_rows o CROSS JOIN LATERAL trail_steps(o.trail) AS step
  CROSS JOIN (VALUES (false), (true)) AS part(retired) GROUP BY 1, 2, 3, 4, 5, 6;`;

const EVENT_DELETED = `
  INSERT INTO event_people (workspace_id, environment, hour, event_name, person)
  SELECT DISTINCT workspace_id, environment, date_trunc('hour', occurred_at, 'UTC'), event_name, md5(external_id)::uuid
  FROM old_rows ON CONFLICT DO NOTHING;
  INSERT INTO event_changes (workspace_id, environment, at, event_name, retired, events, id)
  SELECT o.workspace_id, o.environment, date_trunc('hour', o.occurred_at, 'UTC'), o.event_name, part.retired,
    count(*) * CASE WHEN part.retired THEN 1 ELSE -1 END, gen_random_uuid()
  FROM old_rows o CROSS JOIN (VALUES (false), (true)) AS part(retired) GROUP BY 1, 2, 3, 4, 5;`;

const EVENT_ADDED = `
  INSERT INTO event_changes (workspace_id, environment, at, event_name, events, id)
  SELECT workspace_id, environment, date_trunc('hour', occurred_at, 'UTC'), event_name, count(*), gen_random_uuid() FROM new_rows GROUP BY 1, 2, 3, 4;`;

const CONTACT_ADDED = `
  INSERT INTO contact_turns (workspace_id, environment, contact_id, at, turn, id)
  SELECT workspace_id, environment, id, created_at, subscription_status, gen_random_uuid() FROM new_rows WHERE subscription_status <> 'subscribed';
  INSERT INTO contact_changes (workspace_id, environment, at, created, unsubscribed, deleted, id)
  SELECT workspace_id, environment, date_trunc('hour', created_at, 'UTC'), count(*),
    count(*) FILTER (WHERE subscription_status = 'unsubscribed'), count(*) FILTER (WHERE subscription_status = 'deleted'),
    gen_random_uuid()
  FROM new_rows GROUP BY 1, 2, 3;`;

/** Row by row, since few changes of contacts are of their status. */
const CONTACT_TURNED = `
CREATE FUNCTION note_contact_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_turns (workspace_id, environment, contact_id, at, turn, id)
  SELECT NEW.workspace_id, NEW.environment, NEW.id, NEW.updated_at, turn, gen_random_uuid()
  FROM (VALUES ('revived', OLD.subscription_status = 'deleted'),
    (NEW.subscription_status, NEW.subscription_status <> 'subscribed')) AS turns(turn, is_one) WHERE is_one;
  INSERT INTO contact_changes (workspace_id, environment, at, unsubscribed, deleted, revived, id)
  VALUES (NEW.workspace_id, NEW.environment, date_trunc('hour', NEW.updated_at, 'UTC'),
    (NEW.subscription_status = 'unsubscribed')::int, (NEW.subscription_status = 'deleted')::int,
    (OLD.subscription_status = 'deleted')::int, gen_random_uuid());
  RETURN NULL;
END $$;
CREATE TRIGGER note_contact_turn AFTER UPDATE ON contacts FOR EACH ROW
  WHEN (OLD.subscription_status IS DISTINCT FROM NEW.subscription_status) EXECUTE FUNCTION note_contact_turn();`;

/** A trip counts as converted from its first conversion to any goal on. */
const TRIP_CONVERTED = `
  UPDATE trips t SET converted = true FROM (SELECT DISTINCT workspace_id, environment, trip_id FROM new_rows WHERE counts_trip) AS n
  WHERE t.workspace_id = n.workspace_id AND t.environment = n.environment AND t.id = n.trip_id AND NOT t.converted;`;

type Happening = 'INSERT' | 'UPDATE' | 'DELETE';
const TABLES_OF: Readonly<Record<Happening, string>> = {
  INSERT: 'NEW TABLE AS new_rows',
  UPDATE: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
  DELETE: 'OLD TABLE AS old_rows',
};

/** Nothing is kept of a workspace that goes as a whole. */
const UNLESS_ERASED = `
  IF EXISTS (SELECT FROM old_rows o JOIN workspaces w ON w.id = o.workspace_id WHERE w.deletion_begun_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;`;

function trigger(table: string, happening: Happening, body: string): string {
  const name = `note_${happening.toLowerCase()}_of_${table}`;
  return `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${happening === 'DELETE' ? UNLESS_ERASED : ''}${body}
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER ${happening} ON ${table} REFERENCING ${TABLES_OF[happening]}
  FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
}

const TRIGGERS: readonly (readonly [table: string, happening: Happening, body: string])[] = [
  ['email_logs', 'INSERT', emailChanges([[1, 'new_rows', false]])],
  [
    'email_logs',
    'UPDATE',
    emailChanges([
      [-1, 'old_rows', false],
      [1, 'new_rows', false],
    ]),
  ],
  [
    'email_logs',
    'DELETE',
    emailChanges([
      [-1, 'old_rows', false],
      [1, 'old_rows', true],
    ]),
  ],
  ['trips', 'INSERT', tripChanges([[1, 'new_rows', false]])],
  [
    'trips',
    'UPDATE',
    tripChanges([
      [-1, 'old_rows', false],
      [1, 'new_rows', false],
    ]),
  ],
  [
    'trips',
    'DELETE',
    tripChanges([
      [-1, 'old_rows', false],
      [1, 'old_rows', true],
    ]) + STEPS_DELETED,
  ],
  ['events', 'INSERT', EVENT_ADDED],
  ['events', 'DELETE', EVENT_DELETED],
  ['contacts', 'INSERT', CONTACT_ADDED],
  ['goal_conversions', 'INSERT', TRIP_CONVERTED],
];

/** By whom a period's edges, which are no whole hours, are counted row by row; and what rows alone can answer. */
const COLUMNS = `
ALTER TABLE email_logs ADD COLUMN unsubscribed_at timestamptz(3);
ALTER TABLE trips ADD COLUMN converted boolean NOT NULL DEFAULT false;
`;
const INDEXES = `
CREATE INDEX email_logs_decided ON email_logs (workspace_id, environment, (email_decided_at(status, sent_at, updated_at)))
  WHERE status IN ('sent', 'suppressed', 'failed');
CREATE INDEX events_occurred ON events USING brin (occurred_at timestamptz_minmax_multi_ops) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX contacts_created ON contacts USING brin (created_at timestamptz_minmax_multi_ops) WITH (pages_per_range = 16, autosummarize = on);
`;

const TABLES = `
-- When contacts unsubscribed, were deleted and came back.
CREATE TABLE contact_turns (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL, contact_id uuid NOT NULL,
  at timestamptz(3) NOT NULL, turn text NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX contact_turns_at ON contact_turns (workspace_id, environment, at);

-- Whose events retention has deleted, by a digest of the name that the application calls them by: people are counted once.
CREATE TABLE event_people (
  workspace_id uuid NOT NULL, environment text NOT NULL, hour timestamptz(3) NOT NULL, event_name text NOT NULL, person uuid NOT NULL,
  PRIMARY KEY (workspace_id, environment, hour, event_name, person));

-- On which days (level 0) and in which weeks (level 1) contacts did something, opened and clicked, and how often.
CREATE TABLE contact_activity (
  workspace_id uuid NOT NULL, environment text NOT NULL, level smallint NOT NULL, start date NOT NULL, contact_id uuid NOT NULL,
  created_on date NOT NULL, events integer NOT NULL DEFAULT 0, opened integer NOT NULL DEFAULT 0, clicked integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, environment, level, start, contact_id)) WITH (fillfactor = 80);

CREATE TABLE reports (
  workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, description text, report_type text NOT NULL,
  visibility text NOT NULL, config jsonb NOT NULL, is_template boolean NOT NULL DEFAULT false, created_by uuid, version integer NOT NULL DEFAULT 1,
  last_viewed_at timestamptz(3), created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX reports_templates ON reports (workspace_id, report_type) WHERE is_template;

-- One of a report, of the environment in which it was made.
CREATE TABLE report_shares (
  workspace_id uuid NOT NULL, report_id uuid NOT NULL, environment text NOT NULL, token_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, report_id));
CREATE UNIQUE INDEX report_shares_token ON report_shares (token_hash);

CREATE TABLE report_schedules (
  workspace_id uuid NOT NULL, report_id uuid NOT NULL, environment text NOT NULL, frequency text NOT NULL, day_of_week smallint,
  day_of_month smallint, hour smallint NOT NULL, timezone text NOT NULL, date_range_type text NOT NULL, recipients jsonb NOT NULL,
  format_options jsonb NOT NULL, is_active boolean NOT NULL, next_send_at timestamptz(3) NOT NULL, last_sent_at timestamptz(3),
  look_at timestamptz(3), created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, report_id));
CREATE INDEX report_schedules_due ON report_schedules (workspace_id, environment, look_at) WHERE look_at IS NOT NULL;

-- What a schedule sends on one date to all of its recipients, made once.
CREATE TABLE report_letters (
  workspace_id uuid NOT NULL, id uuid NOT NULL, report_id uuid NOT NULL, environment text NOT NULL, due_at timestamptz(3) NOT NULL,
  subject text NOT NULL, html text NOT NULL, body_text text NOT NULL, chart bytea, csv bytea, file_name text, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX report_letters_of_date ON report_letters (workspace_id, report_id, due_at);
`;

/** Of what is there already: the owner of the tables is bound by their policies, so they are lifted for the moment. */
const FACTS = ['email_logs', 'trips', 'events', 'contacts', 'goal_conversions', 'preference_changes'];
const lifted = (force: 'FORCE' | 'NO FORCE'): string =>
  FACTS.map((table) => `ALTER TABLE ${table} ${force} ROW LEVEL SECURITY;`).join('');

const FILL = `
UPDATE email_logs l SET unsubscribed_at = c.at FROM (
  SELECT workspace_id, environment, message_id, min(changed_at) AS at FROM preference_changes
  WHERE kind = 'opted_out' AND topic IS NULL AND way <> 'provider' AND message_id IS NOT NULL GROUP BY 1, 2, 3) AS c
WHERE l.workspace_id = c.workspace_id AND l.environment = c.environment AND l.id = c.message_id;
UPDATE trips t SET converted = true FROM (SELECT DISTINCT workspace_id, trip_id FROM goal_conversions WHERE counts_trip) AS c
WHERE t.workspace_id = c.workspace_id AND t.id = c.trip_id;
INSERT INTO contact_turns (workspace_id, environment, contact_id, at, turn, id)
SELECT workspace_id, environment, id, updated_at, subscription_status, gen_random_uuid() FROM contacts WHERE subscription_status <> 'subscribed';
INSERT INTO contact_changes (workspace_id, environment, at, created, id)
SELECT workspace_id, environment, date_trunc('hour', created_at, 'UTC'), count(*), gen_random_uuid() FROM contacts GROUP BY 1, 2, 3;
INSERT INTO contact_changes (workspace_id, environment, at, unsubscribed, deleted, id)
SELECT workspace_id, environment, date_trunc('hour', at, 'UTC'), count(*) FILTER (WHERE turn = 'unsubscribed'),
  count(*) FILTER (WHERE turn = 'deleted'), gen_random_uuid() FROM contact_turns GROUP BY 1, 2, 3;
INSERT INTO contact_activity (workspace_id, environment, level, start, contact_id, created_on, events, opened, clicked)
SELECT c.workspace_id, c.environment, l.level, date_trunc(l.period, a.at, 'UTC')::date, c.id, (c.created_at AT TIME ZONE 'UTC')::date,
  max(a.events), sum(a.opened), sum(a.clicked)
FROM (
  SELECT k.workspace_id, k.environment, k.id AS contact_id, e.occurred_at AS at, 1 AS events, 0 AS opened, 0 AS clicked FROM events e
  JOIN contacts k ON k.workspace_id = e.workspace_id AND k.environment = e.environment AND k.external_id = e.external_id
  WHERE e.processed_at IS NOT NULL
  UNION ALL SELECT workspace_id, environment, contact_id, coalesce(opened_at, clicked_at), 0, 1, 0 FROM email_logs
  WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL
  UNION ALL SELECT workspace_id, environment, contact_id, clicked_at, 0, 0, 1 FROM email_logs WHERE clicked_at IS NOT NULL) AS a
JOIN contacts c ON c.workspace_id = a.workspace_id AND c.id = a.contact_id
CROSS JOIN (VALUES (0, 'day'), (1, 'week')) AS l(level, period) GROUP BY 1, 2, 3, 4, 5, 6;
WITH new_rows AS (SELECT * FROM email_logs) ${emailChanges([[1, 'new_rows', false]])}
WITH new_rows AS (SELECT * FROM trips) ${tripChanges([[1, 'new_rows', false]])}
WITH new_rows AS (SELECT * FROM events) ${EVENT_ADDED}
INSERT INTO step_changes (workspace_id, environment, at, flow_id, step_id, trips, id)
SELECT workspace_id, environment, date_trunc('hour', started_at, 'UTC'), flow_id, step, count(*), gen_random_uuid()
FROM trips t CROSS JOIN LATERAL trail_steps(t.trail) AS step GROUP BY 1, 2, 3, 4, 5;
`;

const BY_ENVIRONMENT = [
  ...ROLLUPS.flatMap(({ name }) => [`${name}_rollups`, `${name}_changes`]),
  'contact_turns',
  'event_people',
  'contact_activity',
  'report_letters',
];
/** Links and schedules are seen from both environments, and show the one in which they were made. */
const BY_WORKSPACE = ['reports', 'report_shares', 'report_schedules'];
const READ = [
  ...ROLLUPS.flatMap(({ name }) => [`${name}_rollups`, `${name}_changes`]),
  'contact_turns',
  'event_people',
  'contact_activity',
];

export class Rollups20261125120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS + EMAIL_FACT + TRAIL_STEPS + TABLES + ROLLUPS.map(tablesOf).join(''));
    await runner.query(lifted('NO FORCE'));
    await runner.query(FILL);
    await runner.query(lifted('FORCE'));
    await runner.query(INDEXES + TRIGGERS.map((one) => trigger(...one)).join('') + CONTACT_TURNED);
    for (const table of BY_ENVIRONMENT) await protect(runner, table, OF_ENVIRONMENT);
    for (const table of BY_WORKSPACE) await protect(runner, table, OF_WORKSPACE);
    // Who has a link has its hash, and nothing else to show.
    await runner.query(
      `CREATE POLICY by_token ON report_shares FOR SELECT TO waypost_app
         USING (token_hash = (SELECT nullif(current_setting('app.share_hash', true), '')))`,
    );
    for (const table of READ)
      await runner.query(
        `GRANT SELECT ON ${table} TO ${READER_ROLE}; CREATE POLICY reader ON ${table} FOR SELECT TO ${READER_ROLE} USING (true);`,
      );
    for (const { name } of ROLLUPS)
      await runner.query(
        `GRANT SELECT (workspace_id, environment, id) ON ${name}_changes TO ${DISPATCH_ROLE};
         CREATE POLICY dispatch ON ${name}_changes FOR SELECT TO ${DISPATCH_ROLE} USING (true);`,
      );
    await runner.query(
      `GRANT SELECT (workspace_id, environment, look_at) ON report_schedules TO ${DISPATCH_ROLE};
       CREATE POLICY dispatch ON report_schedules FOR SELECT TO ${DISPATCH_ROLE} USING (true);`,
    );
    // Kept twice from here on; nothing has ever read the first.
    await runner.query('DROP TABLE engagement_hours, trip_hours');
    await assumeOneTenant(runner, BY_WORKSPACE, BY_ENVIRONMENT);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, happening] of TRIGGERS) {
      const name = `note_${happening.toLowerCase()}_of_${table}`;
      await runner.query(`DROP TRIGGER ${name} ON ${table}; DROP FUNCTION ${name}()`);
    }
    await runner.query('DROP TRIGGER note_contact_turn ON contacts; DROP FUNCTION note_contact_turn()');
    await runner.query('DROP INDEX email_logs_decided, events_occurred, contacts_created');
    await runner.query(`DROP TABLE ${[...BY_ENVIRONMENT, ...BY_WORKSPACE].join(', ')}`);
    await runner.query(
      `DROP FUNCTION email_fact(text, text, timestamptz, timestamptz, timestamptz, timestamptz, text, timestamptz, timestamptz);
       DROP FUNCTION email_decided_at(text, timestamptz, timestamptz); DROP FUNCTION trail_steps(text)`,
    );
    await runner.query(
      'ALTER TABLE email_logs DROP COLUMN unsubscribed_at; ALTER TABLE trips DROP COLUMN converted',
    );
    await this.restore(runner);
  }

  /** The figures that were kept before, filled as the migrations that made them did. */
  private async restore(runner: QueryRunner): Promise<void> {
    const counts =
      'started bigint NOT NULL, completed bigint NOT NULL, terminated bigint NOT NULL, failed bigint NOT NULL';
    await runner.query(`
      CREATE TABLE trip_hours (
        workspace_id uuid NOT NULL, environment text NOT NULL, flow_id uuid NOT NULL, hour timestamptz(3) NOT NULL, ${counts},
        PRIMARY KEY (workspace_id, environment, flow_id, hour)) WITH (fillfactor = 80);
      CREATE TABLE engagement_hours (
        workspace_id uuid NOT NULL, environment text NOT NULL, source_id uuid NOT NULL, hour timestamptz(3) NOT NULL,
        delivered bigint NOT NULL, opened bigint NOT NULL, clicked bigint NOT NULL, bounced bigint NOT NULL,
        hard_bounced bigint NOT NULL, complained bigint NOT NULL,
        PRIMARY KEY (workspace_id, environment, source_id, hour)) WITH (fillfactor = 50);
      ALTER TABLE trips NO FORCE ROW LEVEL SECURITY;
      WITH changes AS (
        SELECT workspace_id, environment, flow_id, started_at AS at, 1 AS started, 0 AS completed, 0 AS terminated, 0 AS failed FROM trips
        UNION ALL
        SELECT workspace_id, environment, flow_id, completed_at, 0, (status = 'completed')::int, (status = 'terminated')::int,
          (status = 'failed')::int FROM trips WHERE completed_at IS NOT NULL)
      INSERT INTO trip_hours SELECT workspace_id, environment, flow_id, date_trunc('hour', at, 'UTC'),
        sum(started), sum(completed), sum(terminated), sum(failed) FROM changes GROUP BY 1, 2, 3, 4;
      ALTER TABLE trips FORCE ROW LEVEL SECURITY;`);
    for (const table of ['trip_hours', 'engagement_hours']) await protect(runner, table, OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], ['trip_hours', 'engagement_hours']);
  }
}
