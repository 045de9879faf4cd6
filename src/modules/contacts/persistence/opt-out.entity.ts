/**
 * An identifier or address that has opted out, as a keyed hash; retained after deletion and erasure (section 4.8).
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('refusals')
export class OptOutEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'bytea' }) digest: Buffer;
  @Column(moment('refused_at')) refusedAt: Date;
}
