/** The latest events of a tenant by name: what previews are made with, section 4.3. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** An event as a template may read it. */
export interface LatestEvent {
  readonly external_id: string;
  readonly event_name: string;
  readonly attributes: JsonObject;
  readonly occurred_at: Date;
}

const COLUMNS = 'external_id, event_name, attributes, occurred_at';

/** Events are accepted nearly in the order in which they occur: the latest is among so many accepted last. */
const NEARLY = 100;

@Injectable()
export class LatestEventsRepository {
  /** A contact's latest event of each name, as far as there is one. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventNames: readonly string[],
  ): Promise<LatestEvent[]> {
    if (eventNames.length === 0) return [];
    return tx.query<LatestEvent>(
      `SELECT e.* FROM unnest($4::text[]) AS n(event_name)
       CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events WHERE workspace_id = $1 AND environment = $2
         AND external_id = $3 AND event_name = n.event_name ORDER BY occurred_at DESC, id DESC LIMIT 1) AS e`,
      [scope.workspaceId, scope.environment, externalId, eventNames],
    );
  }

  /** The most recent event of a name, whosever it is; undefined when there is none. */
  async ofAnyone(tx: Transaction, scope: TenantScope, eventName: string): Promise<LatestEvent | undefined> {
    const [event] = await tx.query<LatestEvent>(
      `SELECT ${COLUMNS} FROM (
         SELECT id, ${COLUMNS} FROM events WHERE workspace_id = $1 AND environment = $2 AND event_name = $3
         ORDER BY id DESC LIMIT ${NEARLY}) AS accepted
       ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [scope.workspaceId, scope.environment, eventName],
    );
    return event;
  }
}
