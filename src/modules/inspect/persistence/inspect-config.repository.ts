/** Stores the settings of quality analysis of workspaces. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { DEFAULT_CONFIG, type InspectConfig } from '../domain/runs/inspect-config.js';

const FIELDS = `render_clients AS "renderClients", auto_run_on_save AS "autoRunOnSave", blocking, spam_provider AS "spamProvider",
  snoozed_codes AS "snoozedCodes"`;

@Injectable()
export class InspectConfigRepository {
  /** The workspace's settings; the defaults if it has never set any. */
  async find(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<InspectConfig> {
    const [config] = await tx.query<InspectConfig & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM inspect_configs WHERE workspace_id = $1`,
      [workspaceId],
      'inspect-config',
    );
    return config ?? DEFAULT_CONFIG;
  }

  /** Serializes changes of a workspace's config until the transaction ends. */
  async lock(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `inspect_config ${workspaceId}`,
    ]);
  }

  async upsert(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    config: InspectConfig,
    now: Date,
  ): Promise<void> {
    const { renderClients, autoRunOnSave, blocking, spamProvider, snoozedCodes } = config;
    await tx.execute(
      `INSERT INTO inspect_configs (workspace_id, render_clients, auto_run_on_save, blocking, spam_provider, snoozed_codes, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id) DO UPDATE SET render_clients = excluded.render_clients,
         auto_run_on_save = excluded.auto_run_on_save, blocking = excluded.blocking, spam_provider = excluded.spam_provider,
         snoozed_codes = excluded.snoozed_codes, updated_at = excluded.updated_at`,
      [
        workspaceId,
        JSON.stringify(renderClients),
        autoRunOnSave,
        blocking,
        spamProvider,
        JSON.stringify(snoozedCodes),
        now,
      ],
    );
  }
}
