/**
 * A contact's events, messages and trips by time. Each is read from its own index on the contact, and only one page of
 * it: a contact with a hundred thousand events costs no more than one with thirty.
 */
import { Injectable } from '@nestjs/common';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import { type Activity, type ActivityKind, type ActivityCursor, rankOf } from '../domain/activity.js';

/** The two keys by which records refer to a contact. */
export interface ContactKeys {
  readonly id: string;
  readonly externalId: string;
}

interface Source {
  /** `SELECT … FROM … WHERE …` whose condition compares with the contact, `$1`. */
  readonly sql: string;
  readonly key: keyof ContactKeys;
  /** The sort column of the source's entries, before their ids. */
  readonly at: string;
  readonly id: string;
}

const TRIP = `t.id AS "recordId", t.flow_id AS "flowId", f.name AS "flowName", t.status,
  t.ended_reason AS "endedReason"`;
const TRIPS_OF_CONTACT = 'FROM {trips} t LEFT JOIN {flows} f ON f.id = t.flow_id WHERE t.contact_id = $1';

const SOURCES: Readonly<Record<ActivityKind, Source>> = {
  event: {
    sql: `SELECT e.id AS "recordId", e.occurred_at AS at, e.event_name AS "eventName", e.attributes
      FROM {events} e WHERE e.external_id = $1`,
    key: 'externalId',
    at: 'e.occurred_at',
    id: 'e.id',
  },
  trip_started: {
    sql: `SELECT t.started_at AS at, ${TRIP} ${TRIPS_OF_CONTACT}`,
    key: 'id',
    at: 't.started_at',
    id: 't.id',
  },
  email: {
    sql: `SELECT l.id AS "recordId", l.created_at AS at, l.subject, l.status, l.template_slug AS "templateSlug",
      l.suppressed_reason AS "suppressedReason", l.error_code AS "errorCode", l.sent_at AS "sentAt"
      FROM {email_logs} l WHERE l.contact_id = $1`,
    key: 'id',
    at: 'l.created_at',
    id: 'l.id',
  },
  trip_ended: {
    sql: `SELECT t.completed_at AS at, ${TRIP} ${TRIPS_OF_CONTACT} AND t.completed_at IS NOT NULL`,
    key: 'id',
    at: 't.completed_at',
    id: 't.id',
  },
};

@Injectable()
export class ContactActivityRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Returns the keys of the contact with this record id or external_id. */
  async contact(scope: TenantScope, idOrExternalId: string): Promise<ContactKeys | undefined> {
    const [contact] = await this.reader.query<ContactKeys>(
      scope,
      `SELECT c.id, c.external_id AS "externalId" FROM {contacts} c WHERE c.id = $1 OR c.external_id = $2
       ORDER BY c.id = $1 DESC NULLS LAST LIMIT 1`,
      [isUuid(idOrExternalId) ? idOrExternalId : null, idOrExternalId],
    );
    return contact;
  }

  /** Returns at most `limit` entries of one kind after a position, newest first. */
  async of(
    scope: TenantScope,
    kind: ActivityKind,
    contact: ContactKeys,
    { limit, after }: { readonly limit: number; readonly after: ActivityCursor | null },
  ): Promise<Activity[]> {
    const { sql, values } = activitySql(kind, contact, limit, after);
    const rows = await this.reader.query<Omit<Activity, 'kind'>>(scope, sql, values);
    return rows.map((row) => ({ ...row, kind }) as Activity);
  }
}

/** The query of `ContactActivityRepository.of`. */
export function activitySql(
  kind: ActivityKind,
  contact: ContactKeys,
  limit: number,
  after: ActivityCursor | null,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const { sql, key, at, id } = SOURCES[kind];
  const page = `ORDER BY ${at} DESC, ${id} DESC LIMIT $2`;
  if (!after) return { sql: `${sql} ${page}`, values: [contact[key], limit] };
  const difference = rankOf(kind) - rankOf(after.kind);
  if (difference === 0)
    return {
      sql: `${sql} AND (${at}, ${id}) < ($3::timestamptz, $4::uuid) ${page}`,
      values: [contact[key], limit, after.at, after.recordId],
    };
  // At the position's own moment, kinds of a higher rank come before it, and those of a lower rank after it.
  return {
    sql: `${sql} AND ${at} ${difference > 0 ? '<' : '<='} $3::timestamptz ${page}`,
    values: [contact[key], limit, after.at],
  };
}
