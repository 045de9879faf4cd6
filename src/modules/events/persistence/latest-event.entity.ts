/** A contact's latest event of each name, stored for templates and conditions. It outlives the event's own row. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('latest_events')
@Index('latest_events_names', ['workspaceId', 'environment', 'eventName'])
export class LatestEventEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'external_id', type: 'text' }) externalId: string;
  @PrimaryColumn({ name: 'event_name', type: 'text' }) eventName: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @Column({ name: 'event_id', type: 'uuid' }) eventId: string;
  @Column({ type: 'jsonb' }) attributes: Record<string, unknown>;
  @Column(moment('occurred_at')) occurredAt: Date;
}
