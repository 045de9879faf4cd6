/** A running process, or one that ended without deregistering. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { optionalMoment } from './tenant-columns.js';

@Entity('process_lives')
export class ProcessLeaseEntity {
  /** The process's number. */
  @PrimaryColumn({ type: 'bigint' }) number: string;
  /** When the other processes detected its end, in real time. */
  @Column(optionalMoment('ended_at')) endedAt: Date | null;
}
