/** The sources of the catalogue in SQL: their rollups, their source rows, and the expression of each dimension. */
import type { DataSource } from '../../domain/metric-query.js';
import { REPORTING_WINDOW_DAYS, type ReportedKind } from '../../../feedback/domain/reported-events.js';
import { LEVELS } from '../../domain/rollup.js';
import { TRACKING_BITS } from '../../../tracking/domain/tracking-settings.js';
import type { Measure } from '../../domain/catalogue/source.js';
import type { DimensionSql, SourceRows, SourceSql } from './facts.js';

const PLAIN_LEVELS = { day: LEVELS.day, hour: LEVELS.hour };
/** The source id in email rollups for messages sent by a direct API request. */
const NO_SOURCE_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;

const column = (name: string): DimensionSql => ({ value: `f.${name}`, columns: [name] });

const EMAIL_ROWS: SourceRows = {
  from: () => `{email_logs} l CROSS JOIN LATERAL email_fact(l.status, l.to_email, l.delivered_at, l.opened_at, l.clicked_at,
    l.bounced_at, l.bounce_kind, l.complained_at, l.unsubscribed_at) AS k`,
  at: 'email_decided_at(l.status, l.sent_at, l.updated_at)',
  where: `l.status IN ('sent', 'suppressed', 'failed')`,
  columns: {
    source_id: `coalesce(l.source_id, ${NO_SOURCE_ID})`,
    template_slug: 'l.template_slug',
    content_type: 'l.content_type',
    status: 'l.status',
    domain: 'k.domain',
    tracked: 'l.tracked',
  },
  counters: {
    messages: '1',
    delivered: 'k.delivered',
    opened: 'k.opened',
    clicked: 'k.clicked',
    bounced: 'k.bounced',
    complained: 'k.complained',
    unsubscribed: 'k.unsubscribed',
  },
  id: 'l.id',
  details: `jsonb_build_object('status', l.status, 'template_slug', l.template_slug, 'to_email', l.to_email, 'sent_at', l.sent_at,
    'delivered_at', l.delivered_at, 'opened_at', l.opened_at, 'clicked_at', l.clicked_at, 'bounced_at', l.bounced_at,
    'complained_at', l.complained_at, 'unsubscribed_at', l.unsubscribed_at, 'suppressed_reason', l.suppressed_reason)`,
};

const EMAIL: SourceSql = {
  rollup: {
    name: 'email',
    levels: ({ columns }) =>
      columns.has('domain') ? { day: LEVELS.dayByDomain, hour: LEVELS.hourByDomain } : PLAIN_LEVELS,
  },
  rows: [EMAIL_ROWS],
  existenceCounter: 'messages',
  joins: { campaigns: 'LEFT JOIN {campaigns} k ON k.id = f.source_id' },
  dimensions: {
    flow: {
      value: `CASE WHEN k.id IS NULL THEN nullif(f.source_id, ${NO_SOURCE_ID}) END`,
      columns: ['source_id'],
      joins: ['campaigns'],
    },
    campaign: { value: 'k.id', columns: ['source_id'], joins: ['campaigns'] },
    template: column('template_slug'),
    content_type: column('content_type'),
    status: column('status'),
    recipient_domain: column('domain'),
    source: {
      value: `CASE WHEN f.source_id = ${NO_SOURCE_ID} THEN 'direct' WHEN k.id IS NULL THEN 'flow' ELSE 'campaign' END`,
      columns: ['source_id'],
      joins: ['campaigns'],
    },
  },
};

/**
 * Whether a moment lies within the reporting window around a day with provider events; evaluated once per statement.
 */
function reportedAround(moment: string, kind: ReportedKind): string {
  return `${moment} <@ (SELECT range_agg(tstzrange((e.day - ${REPORTING_WINDOW_DAYS})::timestamp AT TIME ZONE 'UTC',
    (e.day + ${REPORTING_WINDOW_DAYS + 1})::timestamp AT TIME ZONE 'UTC')) FROM {provider_event_days} e WHERE e.kind = '${kind}')`;
}

/** Whether a message was measured, by its column `tracked` and its timestamp. */
export function measuredSql(by: Measure, tracked: string, moment: string): string {
  const opens = `((${tracked} & ${TRACKING_BITS.opens}) <> 0 OR ${reportedAround(moment, 'opened')})`;
  const clicks = `((${tracked} & ${TRACKING_BITS.clicks}) <> 0 OR ${reportedAround(moment, 'clicked')})`;
  const conditions: Readonly<Record<Measure, string>> = {
    deliveries: reportedAround(moment, 'delivered'),
    opens,
    clicks,
    opens_and_clicks: `(${opens} AND ${clicks})`,
  };
  return conditions[by];
}

/** One flow at a time, so that PostgreSQL uses the index on a flow's trips; LATERAL prevents another plan. */
const TRIP_ROWS: SourceRows = {
  from: ({ from, until }) => `{flows} w CROSS JOIN LATERAL (SELECT * FROM {trips} o
    WHERE o.flow_id = w.id AND o.started_at >= ${from} AND o.started_at < ${until} OFFSET 0) AS t`,
  at: 't.started_at',
  columns: {
    flow_id: 't.flow_id',
    flow_version: 't.flow_version',
    status: 't.status',
    ended_reason: `coalesce(t.ended_reason, '')`,
  },
  counters: { trips: '1', converted: 't.converted::int' },
  id: 't.id',
  details: `jsonb_build_object('flow_id', t.flow_id, 'flow_version', t.flow_version, 'contact_id', t.contact_id, 'status', t.status,
    'started_at', t.started_at, 'completed_at', t.completed_at, 'ended_reason', t.ended_reason, 'converted', t.converted)`,
};

const FLOW_JOIN = { flows: 'LEFT JOIN {flows} w ON w.id = f.flow_id' };
const FLOW_TAG: DimensionSql = { value: 'w.tags', columns: ['flow_id'], joins: ['flows'], isList: true };

const TRIP: SourceSql = {
  rollup: { name: 'trip', levels: () => PLAIN_LEVELS },
  rows: [TRIP_ROWS],
  existenceCounter: 'trips',
  joins: FLOW_JOIN,
  dimensions: {
    flow: column('flow_id'),
    flow_version: column('flow_version'),
    status: column('status'),
    ended_reason: { value: `nullif(f.ended_reason, '')`, columns: ['ended_reason'] },
    tag: FLOW_TAG,
  },
  extra: {
    metric: 'median_hours',
    type: 'float8',
    x: '(extract(epoch FROM t.completed_at - t.started_at) / 3600)::float8',
    where: `t.status = 'completed'`,
    aggregate: (x) => `round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ${x})::numeric, 2)::float8`,
  },
};

/** Flows joined with the rollups of their trips. */
const FLOW: SourceSql = {
  rollup: TRIP.rollup,
  rows: TRIP.rows,
  joins: FLOW_JOIN,
  dimensions: {
    status: { value: 'w.status', columns: ['flow_id'], joins: ['flows'] },
    content_type: { value: 'w.content_type', columns: ['flow_id'], joins: ['flows'] },
    tag: FLOW_TAG,
  },
  currentState: {
    from: `{flows} o WHERE o.status <> 'archived'`,
    columns: { flow_id: 'o.id' },
    counters: { flows: '1', active_flows: `(o.status = 'active')::int` },
    id: 'o.id',
    details: `jsonb_build_object('name', o.name, 'status', o.status, 'created_at', o.created_at)`,
  },
};

const EVENT: SourceSql = {
  rollup: { name: 'event', levels: () => PLAIN_LEVELS },
  rows: [
    {
      from: () => '{events} e',
      at: 'e.occurred_at',
      columns: { event_name: 'e.event_name' },
      counters: { events: '1' },
      id: 'e.id',
      details: `jsonb_build_object('event_name', e.event_name, 'external_id', e.external_id, 'occurred_at', e.occurred_at,
        'received_at', e.received_at)`,
    },
  ],
  existenceCounter: 'events',
  joins: {},
  dimensions: { event_name: column('event_name') },
  extra: {
    metric: 'contacts',
    type: 'bigint',
    x: 'md5(e.external_id)::uuid',
    aggregate: (x) => `count(DISTINCT ${x})`,
    deletedRows: {
      from: '{event_people} h',
      at: 'h.hour',
      columns: { event_name: 'h.event_name' },
      x: 'h.person',
    },
  },
};

const CONTACT_ROLLUPS: SourceSql = {
  rollup: { name: 'contact', levels: () => PLAIN_LEVELS },
  rows: [
    {
      from: () => '{contacts} u',
      at: 'u.created_at',
      columns: {},
      counters: { created: '1' },
      id: 'u.id',
      details: `jsonb_build_object('external_id', u.external_id, 'subscription_status', u.subscription_status,
        'locale', u.locale, 'timezone', u.timezone, 'created_at', u.created_at, 'turn', 'created')`,
    },
    {
      from: () => '{contact_turns} v',
      at: 'v.at',
      columns: {},
      counters: {
        unsubscribed: `(v.turn = 'unsubscribed')::int`,
        deleted: `(v.turn = 'deleted')::int`,
        revived: `(v.turn = 'revived')::int`,
      },
      id: 'v.contact_id',
      details: `jsonb_build_object('at', v.at, 'turn', v.turn)`,
    },
  ],
  joins: {},
  dimensions: {},
};

const CONTACT_FIELDS = ['subscription_status', 'locale', 'timezone', 'tags'] as const;
const fieldsOf = (alias: string): Record<string, string> =>
  Object.fromEntries(CONTACT_FIELDS.map((name) => [name, `${alias}.${name}`]));

/** Row by row, since rollups do not know individual people. */
const CONTACT_ROWS: SourceSql = {
  ...CONTACT_ROLLUPS,
  rollup: undefined,
  rows: CONTACT_ROLLUPS.rows.map((kind, index) =>
    index === 0
      ? { ...kind, columns: fieldsOf('u') }
      : {
          ...kind,
          from: () => '{contact_turns} v JOIN {contacts} u ON u.id = v.contact_id',
          columns: fieldsOf('u'),
        },
  ),
  dimensions: {
    subscription_status: column('subscription_status'),
    locale: column('locale'),
    timezone: column('timezone'),
    tag: { value: 'f.tags', columns: ['tags'], isList: true },
  },
};

/**
 * How a source is read.
 * @param fields the dimensions other than time that are requested or filtered by.
 */
export function sourceSql(source: DataSource, fields: readonly string[]): SourceSql {
  switch (source) {
    case 'email_logs':
      return EMAIL;
    case 'flow_trips':
      return TRIP;
    case 'flows':
      return FLOW;
    case 'events':
      return EVENT;
    case 'contacts':
      return fields.length === 0 ? CONTACT_ROLLUPS : CONTACT_ROWS;
  }
}
