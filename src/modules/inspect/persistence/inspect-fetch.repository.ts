/** Stores recent answers of addresses. Addresses are stored as hashes, since they may contain personal data. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { Resource } from '../domain/analysis/analysis.js';
import { storableJson } from '../domain/findings/storable-text.js';
import type { FetchOutcome } from '../domain/resources/fetch-outcome.js';
import { ANSWER_TTL_MS, lifetimeOf } from '../domain/resources/resource-outcome.js';

/** The kind of resource and its address. */
export type RequestedAddress = Pick<Resource, 'kind' | 'address'>;

interface Row {
  readonly kind: Resource['kind'];
  readonly addressHash: string;
  readonly outcome: FetchOutcome;
  readonly fetchedAt: Date;
}

/** Maximum number of rows of a workspace; beyond it the oldest are deleted. */
const MAX_ROWS = 5_000;

@Injectable()
export class InspectFetchRepository {
  constructor(private readonly database: Database) {}

  /** Deletes expired answers of a workspace that makes no requests. */
  async deleteExpired(scope: WorkspaceScope, now: Date): Promise<void> {
    await this.database.inScope(scope, (tx) =>
      tx.execute(
        `DELETE FROM inspect_fetches WHERE workspace_id = $1 AND (kind, address_hash) IN (
           SELECT kind, address_hash FROM inspect_fetches WHERE workspace_id = $1 AND fetched_at <= $2
           ORDER BY kind, address_hash FOR UPDATE)`,
        [scope.workspaceId, new Date(now.getTime() - ANSWER_TTL_MS)],
      ),
    );
  }

  /** The answers that are stored and have not expired; addresses without one are left out. */
  async findFresh(
    scope: WorkspaceScope,
    requested: readonly RequestedAddress[],
    now: Date,
  ): Promise<Map<RequestedAddress, FetchOutcome>> {
    if (requested.length === 0) return new Map();
    const rows = await this.database.inScope(scope, (tx) =>
      tx.query<Row>(
        `SELECT kind, address_hash AS "addressHash", outcome, fetched_at AS "fetchedAt" FROM inspect_fetches
         WHERE workspace_id = $1 AND fetched_at > $4
           AND (kind, address_hash) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
        [
          scope.workspaceId,
          requested.map(({ kind }) => kind),
          requested.map(({ address }) => hashOf(address)),
          new Date(now.getTime() - ANSWER_TTL_MS),
        ],
      ),
    );
    const fresh = new Map(
      rows
        .filter((row) => now.getTime() - row.fetchedAt.getTime() < lifetimeOf(row.kind, row.outcome))
        .map((row) => [`${row.kind} ${row.addressHash}`, row.outcome]),
    );
    return new Map(
      requested.flatMap((each): [RequestedAddress, FetchOutcome][] => {
        const outcome = fresh.get(`${each.kind} ${hashOf(each.address)}`);
        return outcome ? [[each, outcome]] : [];
      }),
    );
  }

  /** Stores the answers of this moment, and deletes expired ones. */
  async store(
    scope: WorkspaceScope,
    outcomes: ReadonlyMap<RequestedAddress, FetchOutcome>,
    now: Date,
  ): Promise<void> {
    if (outcomes.size === 0) return;
    // In a fixed order, so that two runs do not deadlock.
    const rows = [...outcomes]
      .map(([{ kind, address }, outcome]) => ({
        kind,
        hash: hashOf(address),
        outcome: storableJson(outcome),
      }))
      .sort((one, other) => (one.kind + one.hash < other.kind + other.hash ? -1 : 1));
    await this.database.inScope(scope, async (tx) => {
      await tx.execute(
        `INSERT INTO inspect_fetches (workspace_id, kind, address_hash, outcome, fetched_at)
         SELECT $1, kind, hash, outcome, $5 FROM unnest($2::text[], $3::text[], $4::jsonb[]) AS each (kind, hash, outcome)
         ON CONFLICT (workspace_id, kind, address_hash)
         DO UPDATE SET outcome = excluded.outcome, fetched_at = excluded.fetched_at`,
        [
          scope.workspaceId,
          rows.map(({ kind }) => kind),
          rows.map(({ hash }) => hash),
          rows.map(({ outcome }) => outcome),
          now,
        ],
      );
      await tx.execute(
        `DELETE FROM inspect_fetches WHERE workspace_id = $1 AND (kind, address_hash) IN (
           SELECT kind, address_hash FROM (
             SELECT kind, address_hash, fetched_at, row_number() OVER (ORDER BY fetched_at DESC, kind, address_hash) AS place
             FROM inspect_fetches WHERE workspace_id = $1) AS each
           WHERE fetched_at <= $2 OR place > $3
           ORDER BY kind, address_hash)`,
        [scope.workspaceId, new Date(now.getTime() - ANSWER_TTL_MS), MAX_ROWS],
      );
    });
  }
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
