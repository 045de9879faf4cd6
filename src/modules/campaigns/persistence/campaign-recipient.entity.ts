/** The recipients of an instance: each contact once, with its message or the reason why it gets none. */
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
  /** Why it gets no message; null if it gets one. */
  @Column(optionalText('skipped')) skipped: string | null;
  /** Its place among the recipients of a message in this phase, from 0: `max_per_hour` counts by it. */
  @Column({ type: 'integer', nullable: true }) place: number | null;
  /** The earliest send time by the local time in its zone. */
  @Column(optionalMoment('local_at')) localAt: Date | null;
  /** Null if it gets no message, and while the test has not decided which. */
  @Column({ type: 'smallint', nullable: true }) variant: number | null;
  /** Whether it is outside the test and gets the winner. */
  @Column({ name: 'is_rest', type: 'boolean', default: false }) isRest: boolean;
  @Column({ name: 'email_log_id', type: 'uuid', nullable: true }) emailLogId: string | null;
  /** When it converted. */
  @Column(optionalMoment('converted_at')) convertedAt: Date | null;
}
