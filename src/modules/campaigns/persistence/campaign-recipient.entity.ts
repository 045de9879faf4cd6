/** Whom an instance is for: each contact once, with the message that it gets or why it gets none. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalMoment, optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('campaign_recipients')
@Index('campaign_recipients_of_contact', ['workspaceId', 'contactId'])
@Index('campaign_recipients_skipped', ['workspaceId', 'instanceId', 'contactId'], {
  where: 'skipped IS NOT NULL',
})
@Index('campaign_recipients_rest', ['workspaceId', 'instanceId', 'contactId'], {
  where: 'is_rest AND variant IS NULL',
})
export class CampaignRecipientEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'instance_id', type: 'uuid' }) instanceId: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  /** Why it gets no message; null where it gets one. */
  @Column(optionalText('skipped')) skipped: string | null;
  /** Its place among those who get a message at this stage, from 0: what `max_per_hour` counts by. */
  @Column({ type: 'integer', nullable: true }) place: number | null;
  /** Before when its message does not go, by the wall clock of its zone. */
  @Column(optionalMoment('local_at')) localAt: Date | null;
  /** Null where it gets none, and where a test has not decided yet which. */
  @Column({ type: 'smallint', nullable: true }) variant: number | null;
  /** Whether it gets the winner of a test that it is not of. */
  @Column({ name: 'is_rest', type: 'boolean', default: false }) isRest: boolean;
  @Column({ name: 'email_log_id', type: 'uuid', nullable: true }) emailLogId: string | null;
  /** When it did what a test counts by. */
  @Column(optionalMoment('converted_at')) convertedAt: Date | null;
}
