/**
 * A signal that something outside a campaign stops it: stored in the transaction that detected it, and handled later by
 * a worker.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('campaign_signals')
export class CampaignSignalEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'campaign_id', type: 'uuid' }) campaignId: string;
  /** A PausedReason. */
  @PrimaryColumn({ type: 'text' }) reason: string;
}
