/** A domain of a workspace, and the result of its last check. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('sending_domains')
@Index('sending_domains_own', ['workspaceId', 'domain'], { unique: true })
@Index('sending_domains_held', ['domain'], { unique: true, where: `status IN ('verified', 'failing')` })
@Index('sending_domains_due', ['workspaceId', 'checkAt'], { where: 'check_at IS NOT NULL' })
export class SendingDomainEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  /** In lower case and in ASCII. */
  @Column({ type: 'text' }) domain: string;
  @Column({ type: 'text' }) token: string;
  @Column({ type: 'text' }) status: string;
  @Column(moment('status_since')) statusSince: Date;
  @Column({ name: 'is_held_elsewhere', type: 'boolean', default: false }) isHeldElsewhere: boolean;
  @Column(optionalMoment('verified_at')) verifiedAt: Date | null;
  @Column({ type: 'jsonb', default: [] }) findings: object;
  @Column(optionalMoment('checked_at')) checkedAt: Date | null;
  @Column(optionalMoment('check_at')) checkAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
