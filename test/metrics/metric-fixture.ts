/** Inserts random facts of two tenants in both environments, and returns them in memory for a recount without SQL. */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { DAY, HOUR } from '../support/clock.js';
import { foldChanges } from '../support/folded-changes.js';

/** A fact of a source, as the recount sees it. */
export interface Fact {
  readonly scope: TenantScope;
  readonly at: number;
  /** Retention deleted its row: only hourly rollups of it remain. */
  readonly isGone: boolean;
  /** Values by dimension; for a list dimension all values. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Counts by counter. */
  readonly counts: Readonly<Record<string, number>>;
  /** For a message: which measures are known. */
  readonly measures?: ReadonlySet<string>;
  readonly person?: string;
  readonly hours?: number;
}

export interface Fixture {
  readonly scopes: readonly TenantScope[];
  readonly emails: readonly Fact[];
  readonly trips: readonly Fact[];
  readonly events: readonly Fact[];
  readonly contacts: readonly Fact[];
  readonly flows: readonly Fact[];
}

/** Start of the period that contains the facts. */
export const START = Date.parse('2026-02-23T00:00:00Z');
const LENGTH = 12 * DAY;

/** Prefers times at and near the boundaries of hours and days. */
const momentArb = fc.oneof(
  fc.integer({ min: 0, max: LENGTH }).map((after) => START + after),
  fc
    .tuple(fc.integer({ min: 0, max: LENGTH / HOUR }), fc.constantFrom(-1, 0, 1))
    .map(([hours, beside]) => START + hours * HOUR + beside),
  fc
    .tuple(fc.integer({ min: 0, max: LENGTH / DAY }), fc.constantFrom(-1, 0, 1))
    .map(([days, beside]) => START + days * DAY + beside),
);

const pick = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
const sometimes = <Value>(arb: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(arb, { freq: 2 });

const emailArb = fc.record({
  at: momentArb,
  place: fc.nat(3),
  source: pick(0, 1, 2, 3, null),
  template: pick('hello', 'news', 'gone'),
  contentType: pick('transactional', 'promotional'),
  status: pick('sent', 'sent', 'sent', 'suppressed', 'failed', 'queued'),
  to: pick('a@Example.com', 'b@example.com', 'c@other.test', null),
  delivered: sometimes(fc.nat(9)),
  opened: fc.boolean(),
  clicked: fc.boolean(),
  bounced: sometimes(fc.nat(9)),
  bounceKind: pick('hard', 'soft', null),
  complained: fc.boolean(),
  unsubscribed: fc.boolean(),
  tracked: fc.nat(3),
  isGone: pick(true, false, false, false),
});

const tripArb = fc.record({
  at: momentArb,
  place: fc.nat(3),
  flow: fc.nat(3),
  version: pick(1, 2),
  status: pick('active', 'paused', 'awaiting_send', 'completed', 'completed', 'terminated', 'failed'),
  reason: pick('flow_stopped', 'goal_conversion'),
  took: fc.nat(5 * HOUR),
  converted: fc.boolean(),
  isGone: pick(true, false, false, false),
});

const eventArb = fc.record({
  at: momentArb,
  place: fc.nat(3),
  name: pick('order_placed', 'cart_left', '100%_seen'),
  person: fc.nat(6),
  isGone: pick(true, false, false, false),
});

const contactArb = fc.record({
  at: momentArb,
  place: fc.nat(3),
  locale: pick('de', 'en', null),
  timezone: pick('Europe/Berlin', null),
  tags: pick([], ['vip'], ['vip', 'beta'], ['50%']),
  turns: fc.array(fc.tuple(fc.nat(4 * DAY), pick('unsubscribed', 'deleted', 'subscribed')), { maxLength: 3 }),
});

const fixtureArb = fc.record({
  emails: fc.array(emailArb, { minLength: 250, maxLength: 250, size: 'max' }),
  trips: fc.array(tripArb, { minLength: 200, maxLength: 200, size: 'max' }),
  events: fc.array(eventArb, { minLength: 250, maxLength: 250, size: 'max' }),
  contacts: fc.array(contactArb, { minLength: 120, maxLength: 120, size: 'max' }),
});

const FLOW_STATUSES = ['active', 'paused', 'archived', 'active'];
const FLOW_TAGS = [['a'], ['a', 'b'], [], ['c_%']];
const moment = (time: number): string => new Date(time).toISOString();

/** The index of the scope whose provider reports deliveries and opens. */
const REPORTED_INDEX = 1;

function measuresOf(tracked: number, isReported: boolean): Set<string> {
  const opens = isReported || tracked % 2 === 1;
  const clicks = tracked >= 2;
  return new Set([
    ...(isReported ? ['deliveries'] : []),
    ...(opens ? ['opens'] : []),
    ...(clicks ? ['clicks'] : []),
    ...(opens && clicks ? ['opens_and_clicks'] : []),
  ]);
}

/** Inserts facts, and folds some of the changes into the rollups. */
export async function useFixture(admin: pg.Client): Promise<Fixture> {
  const [drawn] = fc.sample(fixtureArb, 1);
  if (!drawn) throw new Error('Nothing was drawn.');
  const workspaces = [randomUUID(), randomUUID()];
  const scopes = workspaces.flatMap((workspaceId) =>
    (['live', 'test'] as const).map((environment): TenantScope => ({ workspaceId, environment })),
  );
  const scopeAt = (place: number): TenantScope => scopes[place] as TenantScope;
  const flows: string[][] = scopes.map(() => [randomUUID(), randomUUID(), randomUUID(), randomUUID()]);
  // Flows belong to a workspace: both environments have the same ones.
  flows[1] = flows[0] as string[];
  flows[3] = flows[2] as string[];
  const campaigns = scopes.map(() => [randomUUID(), randomUUID()]);
  const templates: Record<string, string>[] = scopes.map(() => ({ hello: randomUUID(), news: randomUUID() }));
  templates[1] = templates[0] as Record<string, string>;
  templates[3] = templates[2] as Record<string, string>;
  const flowFacts: Fact[] = [];
  for (const [place, { workspaceId, environment }] of scopes.entries()) {
    for (const [index, id] of (flows[place] ?? []).entries()) {
      if (environment === 'live')
        await admin.query(
          `INSERT INTO flows (workspace_id, id, name, trigger_event, last_step_id, content_type, status, version, tags, created_by, created_at, updated_at)
           VALUES ($1, $2, $3, 'x', 0, $4, $5, 1, $6, 'me', now(), now())`,
          [
            workspaceId,
            id,
            `Flow ${index}`,
            index === 0 ? 'promotional' : 'transactional',
            FLOW_STATUSES[index],
            FLOW_TAGS[index],
          ],
        );
      if (FLOW_STATUSES[index] !== 'archived')
        flowFacts.push({
          scope: scopeAt(place),
          at: START,
          isGone: false,
          values: flowValues(index),
          counts: { flows: 1, active_flows: FLOW_STATUSES[index] === 'active' ? 1 : 0 },
        });
    }
    for (const [index, id] of (campaigns[place] ?? []).entries())
      await admin.query(
        `INSERT INTO campaigns (workspace_id, environment, id, name, status, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'sent', 'me', now(), now())`,
        [workspaceId, environment, id, `Campaign ${index}`],
      );
    if (environment === 'live')
      for (const [slug, id] of Object.entries(templates[place] ?? {}))
        await admin.query(
          `INSERT INTO templates (workspace_id, id, name, slug, body_html, body_text, version, validation_status, created_at, updated_at)
           VALUES ($1, $2, $3, $4, 'x', 'x', 1, 'valid', now(), now())`,
          [workspaceId, id, `The ${slug}`, slug],
        );
  }
  const gone: { readonly table: string; readonly id: string }[] = [];
  const reportedScope = scopeAt(REPORTED_INDEX);
  await admin.query(
    `INSERT INTO provider_event_days (workspace_id, environment, kind, day)
     SELECT $1, $2, kind, $3 FROM unnest(ARRAY['opened', 'delivered']) AS kind`,
    [reportedScope.workspaceId, reportedScope.environment, moment(START + 5 * DAY)],
  );
  const emails: Fact[] = [];
  for (const email of drawn.emails) {
    const { place, at, source, status } = email;
    const { workspaceId, environment } = scopeAt(place);
    const id = randomUUID();
    const sources = [...(flows[place] ?? []).slice(0, 2), ...(campaigns[place] ?? [])];
    const sourceId = source === null ? null : (sources[source] ?? null);
    const after = (isSo: boolean): string | null => (isSo ? moment(at + 7 * HOUR) : null);
    const deliveredAt = email.delivered === null ? null : at + email.delivered * HOUR;
    const bouncedAt = email.bounced === null ? null : at + email.bounced * HOUR;
    await admin.query(
      `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, source_id, contact_id, template_slug, content_type, priority,
         status, to_email, message_id, next_attempt_at, created_at, sent_at, updated_at, delivered_at, opened_at, clicked_at, bounced_at, bounce_kind,
         complained_at, unsubscribed_at, tracked)
       VALUES ($1, $2, 'direct', $2, 0, $3, $4, $2, $5, $6, 0, $7, $8, 'x', $9, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
      [
        workspaceId,
        id,
        environment,
        sourceId,
        email.template,
        email.contentType,
        status,
        email.to,
        moment(at),
        status === 'sent' ? moment(at) : null,
        moment(status === 'sent' ? at + 2 * DAY : at),
        deliveredAt === null ? null : moment(deliveredAt),
        after(email.opened),
        after(email.clicked),
        bouncedAt === null ? null : moment(bouncedAt),
        email.bounceKind,
        after(email.complained),
        after(email.unsubscribed),
        email.tracked,
      ],
    );
    if (status === 'queued') continue;
    if (email.isGone) gone.push({ table: 'email_logs', id });
    const isSent = status === 'sent';
    const flag = (isSo: boolean): number => (isSent && isSo ? 1 : 0);
    const named = (index: number, kind: string): object => ({ id: sourceId, name: `${kind} ${index}` });
    const templateId = templates[place]?.[email.template];
    emails.push({
      scope: scopeAt(place),
      at,
      isGone: email.isGone,
      values: {
        flow: source !== null && source < 2 ? named(source, 'Flow') : null,
        campaign: source !== null && source >= 2 ? named(source - 2, 'Campaign') : null,
        source: source === null ? 'direct' : source < 2 ? 'flow' : 'campaign',
        template:
          templateId === undefined
            ? { id: null, name: email.template }
            : { id: templateId, name: `The ${email.template}` },
        content_type: email.contentType,
        status,
        recipient_domain: (email.to ?? '').replace(/^.*@/, '').toLowerCase(),
      },
      counts: {
        sent: flag(true),
        suppressed: status === 'suppressed' ? 1 : 0,
        failed: status === 'failed' ? 1 : 0,
        delivered: flag(deliveredAt !== null),
        opened: flag(email.opened || email.clicked),
        clicked: flag(email.clicked),
        bounced: flag(
          bouncedAt !== null &&
            (email.bounceKind === 'hard' || deliveredAt === null || deliveredAt < bouncedAt),
        ),
        complained: flag(email.complained),
        unsubscribed: flag(email.unsubscribed),
      },
      measures: measuresOf(email.tracked, place === REPORTED_INDEX),
    });
  }
  const trips: Fact[] = [];
  for (const trip of drawn.trips) {
    const { place, at, status } = trip;
    const { workspaceId, environment } = scopeAt(place);
    const id = randomUUID();
    const flowId = flows[place]?.[trip.flow] ?? '';
    const isOver = ['completed', 'terminated', 'failed'].includes(status);
    const reason = status === 'terminated' ? trip.reason : null;
    await admin.query(
      `INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step, started_at, updated_at,
         completed_at, ended_reason, converted) VALUES ($1, $2, $3, $4, $5, $2, $2, $6, 0, $7, $7, $8, $9, $10)`,
      [
        workspaceId,
        id,
        environment,
        flowId,
        trip.version,
        status,
        moment(at),
        isOver ? moment(at + trip.took) : null,
        reason,
        trip.converted,
      ],
    );
    if (trip.isGone) gone.push({ table: 'trips', id });
    trips.push({
      scope: scopeAt(place),
      at,
      isGone: trip.isGone,
      values: {
        flow: { id: flowId, name: `Flow ${trip.flow}` },
        flow_version: trip.version,
        status,
        ended_reason: reason,
        tag: FLOW_TAGS[trip.flow],
      },
      counts: {
        entered: 1,
        completed: status === 'completed' ? 1 : 0,
        terminated: status === 'terminated' ? 1 : 0,
        failed: status === 'failed' ? 1 : 0,
        in_flight: isOver ? 0 : 1,
        conversions: trip.converted ? 1 : 0,
      },
      ...(status === 'completed' && !trip.isGone ? { hours: trip.took / HOUR } : {}),
    });
    flowFacts.push({
      scope: scopeAt(place),
      at,
      isGone: trip.isGone,
      values: flowValues(trip.flow),
      counts: { trips_started: 1, trips_completed: status === 'completed' ? 1 : 0 },
    });
  }
  const events: Fact[] = [];
  for (const event of drawn.events) {
    const { workspaceId, environment } = scopeAt(event.place);
    const id = randomUUID();
    await admin.query(
      `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at)
       VALUES ($1, $2, $3, $4, $5, '{}', $6, $6)`,
      [workspaceId, id, environment, `p${event.person}`, event.name, moment(event.at)],
    );
    if (event.isGone) gone.push({ table: 'events', id });
    events.push({
      scope: scopeAt(event.place),
      at: event.at,
      isGone: event.isGone,
      values: { event_name: event.name },
      counts: { events: 1 },
      person: `p${event.person}`,
    });
  }
  const contacts: Fact[] = [];
  for (const contact of drawn.contacts) {
    const { workspaceId, environment } = scopeAt(contact.place);
    const id = randomUUID();
    await admin.query(
      `INSERT INTO contacts (workspace_id, id, environment, external_id, timezone, locale, tags, created_at, updated_at)
       VALUES ($1, $2, $3, $2::uuid::text, $4, $5, $6, $7, $7)`,
      [workspaceId, id, environment, contact.timezone, contact.locale, contact.tags, moment(contact.at)],
    );
    const statusChanges: { at: number; counts: Record<string, number> }[] = [
      { at: contact.at, counts: { created: 1, growth: 1 } },
    ];
    let status = 'subscribed';
    let at = contact.at;
    for (const [after, next] of contact.turns) {
      at += after;
      await admin.query('UPDATE contacts SET subscription_status = $2, updated_at = $3 WHERE id = $1', [
        id,
        next,
        moment(at),
      ]);
      if (next === status) continue;
      statusChanges.push({
        at,
        counts: {
          unsubscribed: next === 'unsubscribed' ? 1 : 0,
          deleted: next === 'deleted' ? 1 : 0,
          growth: (status === 'deleted' ? 1 : 0) - (next === 'deleted' ? 1 : 0),
        },
      });
      status = next;
    }
    const values = {
      subscription_status: status,
      locale: contact.locale,
      timezone: contact.timezone,
      tag: contact.tags,
    };
    for (const turn of statusChanges)
      contacts.push({ scope: scopeAt(contact.place), isGone: false, values, ...turn });
  }
  await foldChanges(admin, 0.6);
  for (const { table, id } of gone) await admin.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
  await foldChanges(admin, 0.6);
  await admin.query('ANALYZE');
  return { scopes, emails, trips, events, contacts, flows: flowFacts };
}

function flowValues(index: number): Record<string, unknown> {
  return {
    status: FLOW_STATUSES[index],
    content_type: index === 0 ? 'promotional' : 'transactional',
    tag: FLOW_TAGS[index],
  };
}
