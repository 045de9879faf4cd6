/** A key that signs a domain's mail; its private half is sealed under ENCRYPTION_KEY. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('dkim_keys')
@Index('dkim_keys_of_domain', ['workspaceId', 'domainId'])
export class DkimKeyEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'domain_id', type: 'uuid' }) domainId: string;
  @Column({ type: 'text' }) selector: string;
  @Column({ name: 'public_key', type: 'text' }) publicKey: string;
  @Column({ name: 'sealed_private_key', type: 'text' }) sealedPrivateKey: string;
  @Column({ type: 'text' }) role: string;
  @Column(optionalMoment('retire_at')) retireAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
}
