/** A conversion goal of a flow, section 2.5. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('flow_goals')
@Index('flow_goals_event', ['workspaceId', 'flowId', 'eventName'], { unique: true })
@Index('flow_goals_listening', ['workspaceId', 'eventName'])
export class FlowGoalEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  /** From 0, without gaps. */
  @Column({ type: 'integer' }) position: number;
  @Column({ type: 'text' }) name: string;
  @Column({ name: 'event_name', type: 'text' }) eventName: string;
  @Column({ name: 'event_filters', type: 'jsonb', default: {} }) eventFilters: object;
  @Column({ name: 'attribution_window_value', type: 'integer' }) attributionWindowValue: number;
  @Column({ name: 'attribution_window_unit', type: 'text' }) attributionWindowUnit: string;
  @Column({ name: 'exit_on_conversion', type: 'boolean' }) exitOnConversion: boolean;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
