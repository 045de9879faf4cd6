/**
 * An accepted event, section 6.3. The row is its own outbox: `processed_at` is null until its contact and trips exist.
 * It deliberately has no foreign key: the check would lock the one workspace row at every insert.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('events')
@Index('events_occurred', { synchronize: false })
@Index('events_pending', ['workspaceId', 'environment', 'id'], { where: 'processed_at IS NULL' })
@Index('events_of_contact', ['workspaceId', 'externalId', 'environment', 'occurredAt'])
export class EventEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'external_id', type: 'text' }) externalId: string;
  @Column({ name: 'event_name', type: 'text' }) eventName: string;
  @Column({ type: 'jsonb' }) attributes: Record<string, unknown>;
  /** Contact fields sent with the event, applied when it is processed; null if there were none. */
  @Column({ type: 'jsonb', nullable: true }) contact: Record<string, unknown> | null;
  @Column(moment('occurred_at')) occurredAt: Date;
  @Column(moment('received_at')) receivedAt: Date;
  @Column(optionalMoment('processed_at')) processedAt: Date | null;
}
