/** A used idempotency key, kept for 24 hours. Its uniqueness turns a repetition into a 409. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('idempotency_keys')
@Index('idempotency_keys_expiry', ['workspaceId', 'expiresAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ name: 'event_id', type: 'uuid' }) eventId: string;
  @Column(moment('expires_at')) expiresAt: Date;
}
