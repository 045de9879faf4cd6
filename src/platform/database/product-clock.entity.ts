/** The anchor of an accelerated product clock, one row, so that a restart goes on where the clock was. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment } from './tenant-columns.js';

@Entity('product_clock')
export class ProductClockEntity {
  /** Always 1. */
  @PrimaryColumn({ type: 'smallint' }) id: number;
  @Column(moment('real_anchor')) realAnchor: Date;
  @Column(moment('product_anchor')) productAnchor: Date;
  @Column({ type: 'double precision' }) speed: number;
}
