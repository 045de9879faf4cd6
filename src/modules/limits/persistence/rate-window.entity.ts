/** What processes have given out together of a window of request rates. Holds nothing of tenants: the key is a digest. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../../../platform/database/tenant-columns.js';

@Entity('rate_windows')
@Index('rate_windows_expired', ['expiresAt'])
export class RateWindowEntity {
  @PrimaryColumn({ type: 'uuid' }) key: string;
  /** The number of the latest slot, counted from the beginning of Unix time. */
  @Column({ type: 'bigint' }) slot: string;
  /** By slot, the latest last. */
  @Column({ type: 'integer', array: true }) counts: number[];
  @Column(moment('expires_at')) expiresAt: Date;
}
