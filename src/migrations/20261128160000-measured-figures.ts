/**
 * What was measured: what each message bore to be tracked by, rollups and tallies that tell such messages apart, and the days of
 * which a provider told. What messages sent before this bore is not known; of them the days on which something was heard tell.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  OF_ENVIRONMENT,
  protect,
  READER_ROLE,
} from './frozen/20261121120000-tenant-tables.js';

const COLUMNS = `workspace_id, environment, source_id, template_slug, content_type, status, to_email, sent_at, updated_at, delivered_at,
    opened_at, clicked_at, bounced_at, bounce_kind, complained_at, unsubscribed_at`;
const DECIDED = `status IN ('sent', 'suppressed', 'failed')`;

type Part = readonly [sign: number, rows: string, retired: boolean];

/** The changes of a statement: what its rows were is taken away, what they are is added. */
function emailChanges(parts: readonly Part[], tracked: boolean): string {
  const also = tracked ? ', tracked' : '';
  const rows = parts.map(
    ([sign, name, retired]) =>
      `SELECT ${sign} AS sign, ${retired} AS retired, ${COLUMNS}${also} FROM ${name} WHERE ${DECIDED}`,
  );
  const sum = (of: string): string => `sum(c.sign * ${of})`;
  const counters = ['f.delivered', 'f.opened', 'f.clicked', 'f.bounced', 'f.complained', 'f.unsubscribed'];
  return `
  INSERT INTO email_changes (workspace_id, environment, at, source_id, template_slug, content_type, status, domain, retired${also},
    messages, delivered, opened, clicked, bounced, complained, unsubscribed, id)
  SELECT c.workspace_id, c.environment, date_trunc('hour', email_decided_at(c.status, c.sent_at, c.updated_at), 'UTC'),
    coalesce(c.source_id, '00000000-0000-0000-0000-000000000000'), c.template_slug, c.content_type, c.status, f.domain, c.retired,${tracked ? ' c.tracked,' : ''}
    sum(c.sign), ${counters.map(sum).join(', ')}, gen_random_uuid()
  FROM (${rows.join(' UNION ALL ')}) AS c
  CROSS JOIN LATERAL email_fact(c.status, c.to_email, c.delivered_at, c.opened_at, c.clicked_at, c.bounced_at, c.bounce_kind,
    c.complained_at, c.unsubscribed_at) AS f
  WHERE email_decided_at(c.status, c.sent_at, c.updated_at) IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9${tracked ? ', 10' : ''}
  HAVING sum(c.sign) <> 0 OR ${counters.map((of) => `${sum(of)} <> 0`).join(' OR ')};`;
}

/** Nothing is kept of a workspace that goes as a whole. */
const UNLESS_ERASED = `
  IF EXISTS (SELECT FROM old_rows o JOIN workspaces w ON w.id = o.workspace_id WHERE w.deletion_begun_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;`;

const TRIGGERS: readonly (readonly [happening: 'insert' | 'update' | 'delete', parts: readonly Part[]])[] = [
  ['insert', [[1, 'new_rows', false]]],
  [
    'update',
    [
      [-1, 'old_rows', false],
      [1, 'new_rows', false],
    ],
  ],
  [
    'delete',
    [
      [-1, 'old_rows', false],
      [1, 'old_rows', true],
    ],
  ],
];

function functions(tracked: boolean): string {
  return TRIGGERS.map(
    ([happening, parts]) => `
CREATE OR REPLACE FUNCTION note_${happening}_of_email_logs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${happening === 'delete' ? UNLESS_ERASED : ''}${emailChanges(parts, tracked)}
  RETURN NULL;
END $$;`,
  ).join('');
}

const DAYS = `
CREATE TABLE provider_event_days (
  workspace_id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL, day date NOT NULL,
  PRIMARY KEY (workspace_id, environment, kind, day));`;

const HEARD = `
ALTER TABLE email_logs NO FORCE ROW LEVEL SECURITY;
INSERT INTO provider_event_days (workspace_id, environment, kind, day)
SELECT DISTINCT l.workspace_id, l.environment, k.kind, (l.sent_at AT TIME ZONE 'UTC')::date FROM email_logs l
CROSS JOIN LATERAL (VALUES
  ('delivered', l.delivered_at IS NOT NULL AND l.opens + l.machine_opens + l.clicks + l.machine_clicks = 0 AND l.complained_at IS NULL),
  ('opened', l.opens + l.machine_opens > 0), ('clicked', l.clicks + l.machine_clicks > 0)) AS k(kind, is_told)
WHERE l.status = 'sent' AND l.sent_at IS NOT NULL AND k.is_told;
ALTER TABLE email_logs FORCE ROW LEVEL SECURITY;`;

const ROLLUP_KEY =
  'workspace_id, environment, level, at, source_id, template_slug, content_type, status, domain';

export class MeasuredFigures20261128160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE email_logs ADD COLUMN tracked smallint NOT NULL DEFAULT 0;
      ALTER TABLE email_changes ADD COLUMN tracked smallint NOT NULL DEFAULT 0;
      ALTER TABLE email_rollups ADD COLUMN tracked smallint NOT NULL DEFAULT 0;
      ALTER TABLE email_rollups ALTER COLUMN tracked DROP DEFAULT;
      ALTER TABLE email_rollups DROP CONSTRAINT email_rollups_pkey;
      ALTER TABLE email_rollups ADD PRIMARY KEY (${ROLLUP_KEY}, tracked, retired);
      ALTER TABLE campaign_tallies ADD COLUMN tracked smallint NOT NULL DEFAULT 0;
      ALTER TABLE campaign_tallies ALTER COLUMN tracked DROP DEFAULT;
      ALTER TABLE campaign_tallies DROP CONSTRAINT campaign_tallies_pkey;
      ALTER TABLE campaign_tallies ADD PRIMARY KEY (workspace_id, instance_id, variant, tracked);`);
    await runner.query(DAYS + HEARD + functions(true));
    await protect(runner, 'provider_event_days', OF_ENVIRONMENT);
    await runner.query(
      `GRANT SELECT ON provider_event_days TO ${READER_ROLE};
       CREATE POLICY reader ON provider_event_days FOR SELECT TO ${READER_ROLE} USING (true);`,
    );
    await assumeOneTenant(runner, [], ['provider_event_days']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${functions(false)}
      DROP TABLE provider_event_days;
      ALTER TABLE email_rollups NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE campaign_tallies NO FORCE ROW LEVEL SECURITY;
      CREATE TEMPORARY TABLE merged_rollups ON COMMIT DROP AS
        SELECT ${ROLLUP_KEY}, retired, sum(messages) AS messages, sum(delivered) AS delivered, sum(opened) AS opened,
          sum(clicked) AS clicked, sum(bounced) AS bounced, sum(complained) AS complained, sum(unsubscribed) AS unsubscribed
        FROM email_rollups GROUP BY ${ROLLUP_KEY}, retired;
      TRUNCATE email_rollups;
      ALTER TABLE email_rollups DROP COLUMN tracked;
      ALTER TABLE email_rollups ADD PRIMARY KEY (${ROLLUP_KEY}, retired);
      INSERT INTO email_rollups (${ROLLUP_KEY}, retired, messages, delivered, opened, clicked, bounced, complained, unsubscribed)
        SELECT * FROM merged_rollups;
      CREATE TEMPORARY TABLE merged_tallies ON COMMIT DROP AS
        SELECT workspace_id, environment, instance_id, variant, ${TALLIES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
        FROM campaign_tallies GROUP BY 1, 2, 3, 4;
      TRUNCATE campaign_tallies;
      ALTER TABLE campaign_tallies DROP COLUMN tracked;
      ALTER TABLE campaign_tallies ADD PRIMARY KEY (workspace_id, instance_id, variant);
      INSERT INTO campaign_tallies (workspace_id, environment, instance_id, variant, ${TALLIES.join(', ')})
        SELECT * FROM merged_tallies;
      ALTER TABLE email_rollups FORCE ROW LEVEL SECURITY;
      ALTER TABLE campaign_tallies FORCE ROW LEVEL SECURITY;
      ALTER TABLE email_changes DROP COLUMN tracked;
      ALTER TABLE email_logs DROP COLUMN tracked;`);
  }
}

const TALLIES = [
  ...['sent', 'failed', 'suppressed', 'cancelled', 'unknown', 'delivered', 'opened', 'clicked', 'bounced'],
  ...['spam_reports', 'unsubscribed', 'machine_opened', 'machine_clicked', 'in_test', 'conversions'],
];
