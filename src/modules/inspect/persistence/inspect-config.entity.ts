/** The settings of quality analysis of a workspace (section 4.7: config). */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { Blocking, SpamProvider } from '../domain/runs/inspect-config.js';
import type { RenderClient } from '../domain/rendering/render-client.js';

@Entity('inspect_configs')
export class InspectConfigEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ name: 'render_clients', type: 'jsonb' }) renderClients: readonly RenderClient[];
  @Column({ name: 'auto_run_on_save', type: 'boolean' }) autoRunOnSave: boolean;
  @Column({ type: 'text' }) blocking: Blocking;
  @Column({ name: 'spam_provider', type: 'text' }) spamProvider: SpamProvider;
  @Column({ name: 'snoozed_codes', type: 'jsonb' }) snoozedCodes: readonly string[];
  @Column(moment('updated_at')) updatedAt: Date;
}
