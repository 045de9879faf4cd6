/** The current state of a flow, section 2.3. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('flows')
@Index('flows_updated', ['workspaceId', 'updatedAt', 'id'])
@Index('flows_trigger', ['workspaceId', 'triggerEvent'], { where: "status = 'active'" })
export class FlowEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text', default: '' }) description: string;
  @Column({ name: 'trigger_event', type: 'text' }) triggerEvent: string;
  @Column({ name: 'trigger_conditions', type: 'jsonb', default: {} }) triggerConditions: object;
  @Column({ name: 'segment_id', type: 'uuid', nullable: true }) segmentId: string | null;
  @Column({ type: 'jsonb', default: [] }) steps: readonly object[];
  @Column({ name: 'last_step_id', type: 'integer' }) lastStepId: number;
  @Column({ name: 'content_type', type: 'text' }) contentType: string;
  @Column({ type: 'text' }) status: string;
  @Column({ type: 'integer' }) version: number;
  @Column({ type: 'text', array: true, default: [] }) tags: string[];
  @Column({ type: 'jsonb', default: {} }) settings: object;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(optionalMoment('archived_at')) archivedAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
