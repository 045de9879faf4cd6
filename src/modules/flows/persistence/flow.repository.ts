/** Flows of a workspace, section 2.3, and their snapshots, section 2.4. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowCounts, FlowFilter, Page } from '../domain/flow-filter.js';
import type { Flow, FlowSettings, FlowStatus, ListeningFlow } from '../domain/flow.js';
import { sendStepsOf, type SendSteps } from '../domain/send-steps.js';
import type { Step } from '../domain/step.js';
import {
  settingsOf,
  stepsOf,
  storedStep,
  writtenSettings,
  type WrittenSettings,
  type WrittenStep,
} from '../domain/written-flow.js';
import { FlowEntity } from './flow.entity.js';

const FIELDS = `id, name, description, trigger_event AS "triggerEvent", trigger_conditions AS "triggerConditions",
  segment_id AS "segmentId", steps, last_step_id AS "lastStepId", content_type AS "contentType", status, version, tags, settings,
  created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Without steps: they may be large, and the process caches them by version. */
const LISTENING = `id, version, trigger_event AS "triggerEvent", trigger_conditions AS "triggerConditions",
  segment_id AS "segmentId", settings`;

/** What the engine needs of one version of a flow. */
export interface FlowDefinition {
  readonly steps: readonly Step[];
  readonly settings: FlowSettings;
  readonly contentType: Flow['contentType'];
}

const FILTER = `workspace_id = $1
  AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0)
  AND ($3::text IS NULL OR content_type = $3)
  AND ($4::text IS NULL OR $4 = ANY (tags))
  AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at <= $6)
  AND ($7::timestamptz IS NULL OR updated_at >= $7) AND ($8::timestamptz IS NULL OR updated_at <= $8)
  AND ($9::uuid IS NULL OR segment_id = $9)`;

@Injectable()
export class FlowRepository {
  /** Serializes counting and adding flows in the workspace until the transaction ends. */
  async lockCount(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`flows ${scope.workspaceId}`]);
  }

  /** Flows that count toward the plan's limit: all that are not archived. */
  async count(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    const [row] = await tx.query<{ flows: number }>(
      `SELECT count(*)::int AS flows FROM flows WHERE workspace_id = $1 AND status <> 'archived'`,
      [scope.workspaceId],
    );
    return row?.flows ?? 0;
  }

  async insert(tx: Transaction, { workspaceId }: WorkspaceScope, flow: Flow): Promise<void> {
    const { tags, steps, settings, ...rest } = flow;
    await tx.manager.insert(FlowEntity, {
      ...rest,
      workspaceId,
      tags: [...tags],
      steps: steps.map(storedStep),
      settings: writtenSettings(settings),
    });
  }

  /** One archived flow, locked until the transaction ends. */
  async lockArchived(tx: Transaction, scope: WorkspaceScope, id: string): Promise<Flow | undefined> {
    const [flow] = await tx.query<Stored<Flow>>(
      `SELECT ${FIELDS} FROM flows WHERE workspace_id = $1 AND id = $2 AND status = 'archived' FOR UPDATE`,
      [scope.workspaceId, id],
    );
    return flow && recordOf(flow);
  }

  /**
   * One flow; an archived one is not found.
   * @param lock prevents trip starts and other changes of the flow until the transaction ends.
   */
  async find(tx: Transaction, scope: WorkspaceScope, id: string, lock: boolean): Promise<Flow | undefined> {
    const [flow] = await tx.query<Stored<Flow>>(
      `SELECT ${FIELDS} FROM flows WHERE workspace_id = $1 AND id = $2 AND status <> 'archived'
       ${lock ? 'FOR UPDATE' : ''}`,
      [scope.workspaceId, id],
    );
    return flow && recordOf(flow);
  }

  /** A page of flows, most recently updated first. Archived ones are included only if requested. */
  async list(tx: Transaction, scope: WorkspaceScope, filter: FlowFilter, page: Page): Promise<Flow[]> {
    const rows = await tx.query<Stored<Flow>>(
      `SELECT ${FIELDS} FROM flows WHERE ${FILTER}
         AND (CASE WHEN $10::text IS NULL THEN status <> 'archived' ELSE status = $10 END)
         AND ($13::timestamptz IS NULL OR (updated_at, id) < ($13, $14::uuid))
       ORDER BY updated_at DESC, id DESC LIMIT $11 OFFSET $12`,
      [
        ...filterValues(scope, filter),
        filter.status ?? null,
        page.limit,
        page.offset,
        page.after?.key ?? null,
        page.after?.id ?? null,
      ],
      'flows-list',
    );
    return rows.map(recordOf);
  }

  /** Number of flows per status that match the filter, ignoring its status. */
  async counts(
    tx: Transaction,
    scope: WorkspaceScope,
    filter: FlowFilter,
  ): Promise<FlowCounts & { readonly archived: number }> {
    const rows = await tx.query<{ status: FlowStatus; flows: number }>(
      `SELECT status, count(*)::int AS flows FROM flows WHERE ${FILTER} GROUP BY status`,
      filterValues(scope, filter),
      'flows-counts',
    );
    const of = (status: FlowStatus): number => rows.find((row) => row.status === status)?.flows ?? 0;
    const [active, paused, draft, stopped] = [of('active'), of('paused'), of('draft'), of('stopped')];
    return {
      all: active + paused + draft + stopped,
      active,
      paused,
      draft,
      stopped,
      archived: of('archived'),
    };
  }

  /** Stores the new state of a flow that was read under a lock. */
  async store(tx: Transaction, { workspaceId }: WorkspaceScope, flow: Flow): Promise<void> {
    const { id, createdBy: _by, createdAt: _at, tags, steps, settings, ...changed } = flow;
    await tx.manager.update(
      FlowEntity,
      { workspaceId, id },
      {
        ...changed,
        tags: [...tags],
        steps: steps.map(storedStep),
        settings: writtenSettings(settings),
        archivedAt: flow.status === 'archived' ? flow.updatedAt : null,
      },
    );
  }

  /** Every tag of the flows that are not archived, sorted. */
  async tags(tx: Transaction, scope: WorkspaceScope): Promise<string[]> {
    const rows = await tx.query<{ tag: string }>(
      `SELECT DISTINCT unnest(tags) AS tag FROM flows WHERE workspace_id = $1 AND status <> 'archived' ORDER BY tag`,
      [scope.workspaceId],
    );
    return rows.map(({ tag }) => tag);
  }

  /**
   * Active flows that at least one of the events triggers; none can be paused or stopped until the transaction ends.
   */
  async listening(
    tx: Transaction,
    scope: WorkspaceScope,
    eventNames: readonly string[],
  ): Promise<ListeningFlow[]> {
    const rows = await tx.query<Omit<ListeningFlow, 'settings'> & { readonly settings: WrittenSettings }>(
      `SELECT ${LISTENING} FROM flows
       WHERE workspace_id = $1 AND trigger_event = ANY ($2::text[]) AND status = 'active' ORDER BY id FOR SHARE`,
      [scope.workspaceId, eventNames],
      'flows-listening',
    );
    return rows.map((row) => ({ ...row, settings: settingsOf(row.settings) }));
  }

  /** The current settings of flows, by flow. */
  async settingsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    ids: readonly string[],
  ): Promise<Map<string, FlowSettings>> {
    const rows = await tx.query<{ readonly id: string; readonly settings: WrittenSettings }>(
      'SELECT id, settings FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
      'flow-settings',
    );
    return new Map(rows.map(({ id, settings }) => [id, settingsOf(settings)]));
  }

  /** The current send steps of flows, by flow. */
  async sendStepsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    ids: readonly string[],
  ): Promise<Map<string, SendSteps>> {
    const rows = await tx.query<{ readonly id: string; readonly steps: readonly WrittenStep[] }>(
      'SELECT id, steps FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
      'flow-send-steps',
    );
    return new Map(rows.map(({ id, steps }) => [id, sendStepsOf(stepsOf(steps))]));
  }

  /** One version of a flow: the current state, or else the latest snapshot with that number. */
  async definition(
    tx: Transaction,
    scope: WorkspaceScope,
    id: string,
    version: number,
  ): Promise<FlowDefinition | undefined> {
    const [definition] = await tx.query<Stored<FlowDefinition>>(
      `(SELECT steps, settings, content_type AS "contentType" FROM flows
         WHERE workspace_id = $1 AND id = $2 AND version = $3)
       UNION ALL
       (SELECT steps, settings, content_type FROM flow_versions
         WHERE workspace_id = $1 AND flow_id = $2 AND version = $3 ORDER BY created_at DESC, id DESC LIMIT 1)
       LIMIT 1`,
      [scope.workspaceId, id, version],
      'flow-definition',
    );
    return definition && recordOf(definition);
  }
}

/** A row, with steps and settings in stored format. */
export type Stored<Item extends FlowDefinition> = Omit<Item, 'steps' | 'settings'> & {
  readonly steps: readonly WrittenStep[];
  readonly settings: WrittenSettings;
};

/** Converts a row to its record. */
export function recordOf<Row extends Stored<FlowDefinition>>(
  row: Row,
): Omit<Row, 'steps' | 'settings'> & Pick<FlowDefinition, 'steps' | 'settings'> {
  return { ...row, steps: stepsOf(row.steps), settings: settingsOf(row.settings) };
}

function filterValues({ workspaceId }: WorkspaceScope, filter: FlowFilter): unknown[] {
  const { search, contentType, tag, createdAfter, createdBefore, updatedAfter, updatedBefore, segmentId } =
    filter;
  const values = [
    search,
    contentType,
    tag,
    createdAfter,
    createdBefore,
    updatedAfter,
    updatedBefore,
    segmentId,
  ];
  return [workspaceId, ...values.map((value) => value ?? null)];
}
