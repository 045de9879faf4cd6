/** A snapshot of a flow before it changed, section 2.4. Trips that started on this version keep reading it. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { FlowSettings } from '../domain/flow.js';
import type { Step } from '../domain/step.js';

@Entity('flow_versions')
@Index('flow_versions_number', ['workspaceId', 'flowId', 'version'])
export class FlowVersionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ type: 'integer' }) version: number;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) description: string;
  @Column({ name: 'trigger_event', type: 'text' }) triggerEvent: string;
  @Column({ name: 'trigger_conditions', type: 'jsonb' }) triggerConditions: Record<string, unknown>;
  @Column({ type: 'jsonb' }) steps: readonly Step[];
  @Column({ name: 'content_type', type: 'text' }) contentType: string;
  @Column({ name: 'status_at_snapshot', type: 'text' }) statusAtSnapshot: string;
  @Column({ type: 'text', array: true }) tags: string[];
  @Column({ type: 'jsonb' }) settings: FlowSettings;
  @Column({ name: 'changed_by', type: 'text' }) changedBy: string;
  @Column(optionalText('change_summary')) changeSummary: string | null;
  @Column(moment('created_at')) createdAt: Date;
}
