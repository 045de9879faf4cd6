/** Storage of suppressed addresses; all methods work on sets. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidOf } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  MAX_HISTORY_ENTRIES,
  SUPPRESSION_REASONS,
  type NewSuppression,
  type Suppression,
  type SuppressionChange,
  type SuppressionReason,
} from '../domain/suppression.js';

/** An entry to store, under its address or under its digest. */
export type KeyedSuppression = NewSuppression &
  ({ readonly address: string; readonly digest: null } | { readonly address: null; readonly digest: Buffer });

interface StoredChange {
  readonly kind: SuppressionChange['kind'];
  readonly at: string;
  readonly by: string;
  readonly reason: SuppressionReason | null;
  readonly note: string | null;
  readonly email_log_id: string | null;
}
type Row = Omit<Suppression, 'history'> & { readonly history: readonly StoredChange[] };

/** A row to be erased, with the values that identify it. */
export interface FoundSuppression {
  readonly id: string;
  readonly address: string;
}

const COLUMNS = `s.id, s.address, s.reason, s.since, s.added_by AS by, s.email_log_id AS "emailLogId", s.note,
  s.removed_at AS "removedAt", s.history`;

/** SQL for the rank of a reason, by strength. */
const rank = (column: string): string =>
  `array_position(ARRAY[${SUPPRESSION_REASONS.map((reason) => `'${reason}'`).join(', ')}]::text[], ${column})`;

/** SQL for a history with one more change, without the oldest ones if it becomes too long. */
const appended = (history: string, change: string): string =>
  `(SELECT coalesce(jsonb_agg(c ORDER BY n), '[]') FROM (
     SELECT c, n, count(*) OVER () AS total FROM jsonb_array_elements(${history} || ${change}) WITH ORDINALITY AS h(c, n)) AS h
   WHERE n > total - ${MAX_HISTORY_ENTRIES})`;

/**
 * An existing entry changes only for a stronger reason; a removed one is restored if the new reason is later than the
 * removal. Rows are sorted by address to avoid deadlocks.
 */
const add = (target: 'address' | 'digest'): string => `
  INSERT INTO suppressions AS s (workspace_id, environment, id, address, digest, reason, since, added_by, note, email_log_id,
    contact_id, removed_at, history)
  SELECT $1, $2, u.id, u.address, u.digest, u.reason, u.since, u.added_by, u.note, u.email_log_id, u.contact_id, NULL, u.history
  FROM unnest($3::uuid[], $4::text[], $5::bytea[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::uuid[],
    $11::uuid[], $12::jsonb[]) AS u(id, address, digest, reason, since, added_by, note, email_log_id, contact_id, history)
  ON CONFLICT (workspace_id, environment, ${target}) WHERE ${target} IS NOT NULL DO UPDATE SET
    reason = excluded.reason, since = excluded.since, added_by = excluded.added_by, note = excluded.note,
    email_log_id = excluded.email_log_id, contact_id = coalesce(excluded.contact_id, s.contact_id), removed_at = NULL,
    history = ${appended('s.history', 'excluded.history')}
  WHERE CASE WHEN s.removed_at IS NULL THEN ${rank('excluded.reason')} > ${rank('s.reason')}
    ELSE excluded.since > s.removed_at END`;
const ADD = { address: add('address'), digest: add('digest') };

/** SQL for the history of a row `s` without personal data, with the erasure ($5) added. */
const ANONYMIZED_HISTORY = `(SELECT coalesce(jsonb_agg(c || '{"note": null}' ORDER BY n), '[]')
  FROM jsonb_array_elements(s.history) WITH ORDINALITY AS h(c, n)) || $5::jsonb`;
const ERASE = `
  UPDATE suppressions s SET address = NULL, digest = $4, note = NULL, contact_id = NULL, history = ${appended(`'[]'::jsonb`, ANONYMIZED_HISTORY)}
  WHERE workspace_id = $1 AND environment = $2 AND id = $3`;
/**
 * SQL for merging a row `s` that is erased now into a row `e` from an earlier erasure: whether the reason of `s`
 * counts.
 */
const ERASED_ROW_WINS = `s.removed_at IS NULL AND (e.removed_at IS NOT NULL OR ${rank('s.reason')} > ${rank('e.reason')})`;
const mergedColumn = (column: string): string =>
  `${column} = CASE WHEN ${ERASED_ROW_WINS} THEN s.${column} ELSE e.${column} END`;
const MERGE_ERASED = `
  UPDATE suppressions e SET ${['reason', 'since', 'added_by', 'email_log_id'].map(mergedColumn).join(', ')},
    removed_at = CASE WHEN e.removed_at IS NULL OR s.removed_at IS NULL THEN NULL ELSE greatest(e.removed_at, s.removed_at) END,
    history = ${appended('e.history', ANONYMIZED_HISTORY)}
  FROM suppressions s
  WHERE e.workspace_id = $1 AND e.environment = $2 AND e.digest = $4
    AND s.workspace_id = $1 AND s.environment = $2 AND s.id = $3`;

@Injectable()
export class SuppressionRepository {
  /** Adds entries, either all by address or all by digest. @returns how many were new or changed. */
  async add(
    tx: Transaction,
    scope: TenantScope,
    by: 'address' | 'digest',
    items: readonly KeyedSuppression[],
  ): Promise<number> {
    if (items.length === 0) return 0;
    return tx.execute(
      ADD[by],
      [
        scope.workspaceId,
        scope.environment,
        items.map(({ since }) => uuidOf(since)),
        items.map(({ address }) => address),
        items.map(({ digest }) => digest),
        items.map(({ reason }) => reason),
        items.map(({ since }) => since),
        items.map((item) => item.by),
        items.map(({ note }) => note),
        items.map(({ emailLogId }) => emailLogId),
        items.map(({ contactId }) => contactId),
        items.map((item) =>
          historyOf({
            kind: 'added',
            at: item.since,
            by: item.by,
            reason: item.reason,
            note: item.note,
            emailLogId: item.emailLogId,
          }),
        ),
      ],
      `suppressions-add-${by}`,
    );
  }

  /** Which of the addresses and digests (hexadecimal) are suppressed, and why. */
  async among(
    tx: Transaction,
    scope: TenantScope,
    addresses: readonly string[],
    digests: readonly string[],
  ): Promise<{ readonly key: string; readonly reason: SuppressionReason }[]> {
    return tx.query(
      `SELECT address AS key, reason FROM suppressions
       WHERE workspace_id = $1 AND environment = $2 AND address = ANY ($3::text[]) AND removed_at IS NULL
       UNION ALL
       SELECT encode(digest, 'hex'), reason FROM suppressions
       WHERE workspace_id = $1 AND environment = $2 AND digest = ANY ($4::bytea[]) AND removed_at IS NULL`,
      [scope.workspaceId, scope.environment, addresses, digests.map((digest) => `\\x${digest}`)],
      'suppressions-among',
    );
  }

  /** At most `limit` rows, latest first; only those of one address if it is given. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    { reason, addresses, digests, includesRemoved = false }: SuppressionFilter,
    { limit, before }: { readonly limit: number; readonly before: { since: string; id: string } | undefined },
  ): Promise<Suppression[]> {
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM suppressions s
       WHERE workspace_id = $1 AND environment = $2 AND ($9 OR removed_at IS NULL) AND ($4::text IS NULL OR reason = $4)
         AND ($5::text[] IS NULL OR address = ANY ($5) OR digest = ANY ($6::bytea[]))
         AND ($7::timestamptz IS NULL OR (since, id) < ($7, $8::uuid))
       ORDER BY since DESC, id DESC LIMIT $3`,
      [
        scope.workspaceId,
        scope.environment,
        limit,
        reason ?? null,
        addresses ?? null,
        (digests ?? []).map((digest) => `\\x${digest}`),
        before?.since ?? null,
        before?.id ?? null,
        includesRemoved,
      ],
    );
    return rows.map(recordOf);
  }

  /** Removes an entry from the list, with all other entries of the same address. */
  async remove(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    { by, note, at }: { readonly by: string; readonly note: string | null; readonly at: Date },
  ): Promise<Suppression | undefined> {
    const change = historyOf({ kind: 'removed', at, by, reason: null, note, emailLogId: null });
    const [row] = await tx.query<Row>(
      `UPDATE suppressions s SET removed_at = $4, history = ${appended('s.history', '$5::jsonb')}
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND removed_at IS NULL RETURNING ${COLUMNS}`,
      [scope.workspaceId, scope.environment, id, at, change],
    );
    return row && recordOf(row);
  }

  /** Removes the entries with these digests from the list. */
  async removeDigests(
    tx: Transaction,
    scope: TenantScope,
    digests: readonly string[],
    { by, note, at }: { readonly by: string; readonly note: string | null; readonly at: Date },
  ): Promise<void> {
    const change = historyOf({ kind: 'removed', at, by, reason: null, note, emailLogId: null });
    await tx.execute(
      `UPDATE suppressions s SET removed_at = $4, history = ${appended('s.history', '$5::jsonb')}
       WHERE workspace_id = $1 AND environment = $2 AND digest = ANY ($3::bytea[]) AND removed_at IS NULL`,
      [scope.workspaceId, scope.environment, digests.map((digest) => `\\x${digest}`), at, change],
    );
  }

  /** Whether there are rows with an address, and rows with only a digest. */
  async kinds(
    tx: Transaction,
    scope: TenantScope,
  ): Promise<{ readonly named: boolean; readonly erased: boolean }> {
    const exists = (column: string): string => `EXISTS (SELECT FROM suppressions
      WHERE workspace_id = $1 AND environment = $2 AND ${column} IS NOT NULL)`;
    const [row] = await tx.query<{ named: boolean; erased: boolean }>(
      `SELECT ${exists('address')} AS named, ${exists('digest')} AS erased`,
      [scope.workspaceId, scope.environment],
      'suppressions-kinds',
    );
    return row ?? { named: true, erased: true };
  }

  /** The row of an address, whether it is on the list or was removed. */
  async findAddress(tx: Transaction, scope: TenantScope, address: string): Promise<Suppression | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM suppressions s WHERE workspace_id = $1 AND environment = $2 AND address = $3`,
      [scope.workspaceId, scope.environment, address],
    );
    return row && recordOf(row);
  }

  /** The rows that identify a person, by address or by messages to a contact. Locked until the transaction ends. */
  async ofPerson(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    address: string | undefined,
  ): Promise<FoundSuppression[]> {
    return tx.query(
      `SELECT id, address FROM suppressions
       WHERE workspace_id = $1 AND environment = $2 AND address IS NOT NULL AND (contact_id = $3 OR address = $4)
       ORDER BY address FOR UPDATE`,
      [scope.workspaceId, scope.environment, contactId, address ?? null],
    );
  }

  /**
   * Reduces a row to its digest, reasons and times. If an earlier erasure left a row with the same digest, the two
   * are merged: the result is on the list if either was, with the stronger reason among those still on the list.
   */
  async erase(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    { digest, at }: { readonly digest: Buffer; readonly at: Date },
  ): Promise<void> {
    const change = historyOf({
      kind: 'erased',
      at,
      by: 'erasure',
      reason: null,
      note: null,
      emailLogId: null,
    });
    const values = [scope.workspaceId, scope.environment, id, digest, change];
    const merged = await tx.execute(MERGE_ERASED, values);
    if (merged > 0)
      await tx.execute(
        'DELETE FROM suppressions WHERE workspace_id = $1 AND environment = $2 AND id = $3',
        values.slice(0, 3),
      );
    else await tx.execute(ERASE, values);
  }
}

export interface SuppressionFilter {
  readonly reason?: SuppressionReason | undefined;
  /** One address, normalised, and the digests under which it may be stored. */
  readonly addresses?: readonly string[] | undefined;
  readonly digests?: readonly string[] | undefined;
  /** Whether to include removed entries. */
  readonly includesRemoved?: boolean | undefined;
}

/** The JSON of a history with one change. */
function historyOf({ kind, at, by, reason, note, emailLogId }: SuppressionChange): string {
  const change: StoredChange = { kind, at: at.toISOString(), by, reason, note, email_log_id: emailLogId };
  return JSON.stringify([change]);
}

function recordOf({ history, ...row }: Row): Suppression {
  return {
    ...row,
    history: history.map(({ email_log_id: emailLogId, at, ...change }) => ({
      ...change,
      emailLogId,
      at: new Date(at),
    })),
  };
}
