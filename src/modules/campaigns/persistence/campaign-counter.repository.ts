/**
 * The counters of instances, by variant. They are exact, since they change in the same transactions as the messages.
 */
import { Injectable } from '@nestjs/common';
import { snakeCase } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  HOLDOUT_GROUP,
  ZERO_COUNTERS,
  REST_GROUP,
  COUNTER_NAMES,
  type CampaignCounters,
  type CounterDelta,
  type TrackedCounters,
} from '../domain/campaign-counters.js';

const COLUMNS = COUNTER_NAMES.map(snakeCase);
const FIRST_PARAMETER = 6;

/** A recipient's counter key: the variant of its message, REST, or HOLDOUT. */
const GROUP = `CASE WHEN r.is_rest THEN ${REST_GROUP} WHEN r.skipped = 'holdout' THEN ${HOLDOUT_GROUP} ELSE coalesce(r.variant, 0) END`;

/** Updates rows in a fixed order, so that two transactions never deadlock. */
const ADD = `
  INSERT INTO campaign_tallies AS t (workspace_id, environment, instance_id, variant, tracked, ${COLUMNS.join(', ')})
  SELECT $1, $2, u.instance_id, ${GROUP}, u.tracked, ${COLUMNS.map((name) => `sum(u.${name})::int`).join(', ')}
  FROM unnest($3::uuid[], $4::uuid[], $5::int[], ${COLUMNS.map((_, n) => `$${FIRST_PARAMETER + n}::int[]`).join(', ')})
    AS u(instance_id, contact_id, tracked, ${COLUMNS.join(', ')})
  JOIN campaign_recipients r ON r.workspace_id = $1 AND r.instance_id = u.instance_id AND r.contact_id = u.contact_id
  GROUP BY u.instance_id, 4, 5 ORDER BY 3, 4, 5
  ON CONFLICT (workspace_id, instance_id, variant, tracked) DO UPDATE
  SET ${COLUMNS.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;

const SUMS = COUNTER_NAMES.map((name) => `sum(${snakeCase(name)})::int AS "${name}"`).join(', ');

@Injectable()
export class CampaignCounterRepository {
  async add(tx: Transaction, scope: TenantScope, deltas: readonly CounterDelta[]): Promise<void> {
    await tx.execute(
      ADD,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(deltas.map(({ instanceId }) => instanceId)),
        uuidArray(deltas.map(({ contactId }) => contactId)),
        integerArray(deltas.map(({ tracked }) => tracked)),
        ...COUNTER_NAMES.map((name) => integerArray(deltas.map(({ deltas: counts }) => counts[name]))),
      ],
      'campaign-tallies-add',
    );
  }

  /** Returns the counters of instances over all variants, by instance; omits instances without any. */
  async totals(
    tx: Transaction,
    scope: TenantScope,
    instanceIds: readonly string[],
  ): Promise<Map<string, CampaignCounters>> {
    const rows = await tx.query<CampaignCounters & { readonly instanceId: string }>(
      `SELECT instance_id AS "instanceId", ${SUMS} FROM campaign_tallies
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = ANY ($3::uuid[]) GROUP BY instance_id`,
      [scope.workspaceId, scope.environment, instanceIds],
      'campaign-tallies-sums',
    );
    return new Map(rows.map(({ instanceId, ...counters }) => [instanceId, counters]));
  }

  /** Adds to the sizes of a test's groups. */
  async addGroupSizes(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    groups: ReadonlyMap<number, number>,
  ): Promise<void> {
    if (groups.size === 0) return;
    await tx.execute(
      `INSERT INTO campaign_tallies AS t (workspace_id, environment, instance_id, variant, tracked, in_test)
       SELECT $1, $2, $3, u.variant, 0, u.in_test FROM unnest($4::int[], $5::int[]) AS u(variant, in_test) ORDER BY 4
       ON CONFLICT (workspace_id, instance_id, variant, tracked) DO UPDATE SET in_test = t.in_test + excluded.in_test`,
      [
        ...[scope.workspaceId, scope.environment, instanceId],
        integerArray([...groups.keys()]),
        integerArray([...groups.values()]),
      ],
      'campaign-tallies-grow',
    );
  }

  /**
   * Returns the counters of each group of an instance's test, by variant, REST and HOLDOUT; omits groups without any.
   */
  async groups(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
  ): Promise<Map<number, CampaignCounters>> {
    const rows = await tx.query<CampaignCounters & { readonly group: number }>(
      `SELECT variant AS "group", ${SUMS} FROM campaign_tallies
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 GROUP BY variant`,
      [scope.workspaceId, scope.environment, instanceId],
      'campaign-tallies-groups',
    );
    return new Map(rows.map(({ group, ...counters }) => [group, counters]));
  }

  /** Returns the counters of instances, by the tracking that the messages of each group carried. */
  async tracked(
    tx: Transaction,
    scope: TenantScope,
    instanceIds: readonly string[],
  ): Promise<TrackedCounters[]> {
    return tx.query<TrackedCounters & object>(
      `SELECT instance_id AS "instanceId", variant AS "group", tracked, sent, bounced, opened, clicked FROM campaign_tallies
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, instanceIds],
      'campaign-tallies-tracked',
    );
  }

  /** Returns the counters of one instance. */
  async ofInstance(tx: Transaction, scope: TenantScope, instanceId: string): Promise<CampaignCounters> {
    return (await this.totals(tx, scope, [instanceId])).get(instanceId) ?? ZERO_COUNTERS;
  }
}
