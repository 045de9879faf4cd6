/** An API key, section 5. Only a keyed hash is stored, so a copy of the database contains no usable key. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('api_keys')
@Index('api_keys_hash', ['keyHash'], { unique: true })
export class ApiKeyEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) scope: string;
  @Column({ type: 'text' }) environment: string;
  /** Hexadecimal digest. */
  @Column({ name: 'key_hash', type: 'text' }) keyHash: string;
  /** The last four characters, for display. */
  @Column({ name: 'key_hint', type: 'text' }) keyHint: string;
  @Column({ name: 'rate_limit_per_minute', type: 'integer', nullable: true }) rateLimitPerMinute:
    number | null;
  @Column(optionalMoment('revoked_at')) revokedAt: Date | null;
  /** Set when the key has been replaced. */
  @Column(optionalMoment('expires_at')) expiresAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
}
