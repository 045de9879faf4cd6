/** The anchor of an accelerated product clock, in one row, so that the clock continues after a restart. */
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
