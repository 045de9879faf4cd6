/** The addresses of an audience while it is being taken: each once per instance. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('campaign_addresses')
export class CampaignAddressEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'instance_id', type: 'uuid' }) instanceId: string;
  /** The first 16 bytes of the address's keyed digest. */
  @PrimaryColumn({ type: 'uuid' }) address: string;
}
