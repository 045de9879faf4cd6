/** A process that is at work, or one that has ended without saying so. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { optionalMoment } from './tenant-columns.js';

@Entity('process_lives')
export class ProcessLifeEntity {
  /** Its presence number. */
  @PrimaryColumn({ type: 'bigint' }) number: string;
  /** When the others saw that it had gone, in real time. */
  @Column(optionalMoment('ended_at')) endedAt: Date | null;
}
