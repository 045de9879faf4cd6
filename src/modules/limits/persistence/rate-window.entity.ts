/** What all processes together have granted from a rate window. Contains no tenant data: the key is a digest. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../../../platform/database/tenant-columns.js';

@Entity('rate_windows')
@Index('rate_windows_expired', ['expiresAt'])
export class RateWindowEntity {
  @PrimaryColumn({ type: 'uuid' }) key: string;
  /** The number of the latest slot, counted from the Unix epoch. */
  @Column({ type: 'bigint' }) slot: string;
  /** By slot, latest last. */
  @Column({ type: 'integer', array: true }) counts: number[];
  @Column(moment('expires_at')) expiresAt: Date;
}
