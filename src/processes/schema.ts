/** The explicit list of every entity and migration of the service, so that none is loaded by accident. */
import { ApiKeyEntity } from '../modules/api-keys/persistence/api-key.entity.js';
import { ApiKeyUseEntity } from '../modules/api-keys/persistence/api-key-use.entity.js';
import { AuditEntryEntity } from '../modules/audit/persistence/audit-entry.entity.js';
import { BillingEventEntity } from '../modules/billing/persistence/billing-event.entity.js';
import { UnmatchedBillingEventEntity } from '../modules/billing/persistence/unmatched-billing-event.entity.js';
import { SubscriptionEntity } from '../modules/billing/persistence/subscription.entity.js';
import { CampaignAddressEntity } from '../modules/campaigns/persistence/campaign-address.entity.js';
import { CampaignEntity } from '../modules/campaigns/persistence/campaign.entity.js';
import { CampaignInstanceEntity } from '../modules/campaigns/persistence/campaign-instance.entity.js';
import { CampaignRecipientEntity } from '../modules/campaigns/persistence/campaign-recipient.entity.js';
import { CampaignSignalEntity } from '../modules/campaigns/persistence/campaign-signal.entity.js';
import { CampaignCounterEntity } from '../modules/campaigns/persistence/campaign-counter.entity.js';
import { ContactCountEntity } from '../modules/contacts/persistence/contact-count.entity.js';
import { ErasedContactEntity } from '../modules/contacts/persistence/erased-contact.entity.js';
import { OptOutKeyEntity } from '../modules/contacts/persistence/opt-out-key.entity.js';
import { OptOutEntity } from '../modules/contacts/persistence/opt-out.entity.js';
import { LatestEventEntity } from '../modules/events/persistence/latest-event.entity.js';
import { ImportErrorEntity } from '../modules/imports/persistence/import-error.entity.js';
import { ImportFilePieceEntity } from '../modules/imports/persistence/import-file-piece.entity.js';
import { ImportFileEntity } from '../modules/imports/persistence/import-file.entity.js';
import { ImportFindingEntity } from '../modules/imports/persistence/import-finding.entity.js';
import { ImportJobEntity } from '../modules/imports/persistence/import-job.entity.js';
import { ImportRowEntity } from '../modules/imports/persistence/import-row.entity.js';
import { ImportSeenEntity } from '../modules/imports/persistence/import-seen.entity.js';
import { InspectConfigEntity } from '../modules/inspect/persistence/inspect-config.entity.js';
import {
  InspectCreditEntryEntity,
  InspectCreditMonthEntity,
} from '../modules/inspect/persistence/inspect-credit.entity.js';
import { InspectFetchEntity } from '../modules/inspect/persistence/inspect-fetch.entity.js';
import { InspectFindingEntity } from '../modules/inspect/persistence/inspect-finding.entity.js';
import { InspectJobEntity } from '../modules/inspect/persistence/inspect-job.entity.js';
import { InspectMarkEntity } from '../modules/inspect/persistence/inspect-mark.entity.js';
import { InspectOverrideEntity } from '../modules/inspect/persistence/inspect-override.entity.js';
import { InspectScreenshotEntity } from '../modules/inspect/persistence/inspect-screenshot.entity.js';
import { AllowanceEntity } from '../modules/limits/persistence/allowance.entity.js';
import { MonthlyEmailsEntity } from '../modules/limits/persistence/monthly-emails.entity.js';
import { RateWindowEntity } from '../modules/limits/persistence/rate-window.entity.js';
import { MonthlyUsageEntity } from '../modules/limits/persistence/monthly-usage.entity.js';
import { EmailDeltaEntity, EmailRollupEntity } from '../modules/metrics/persistence/email-rollup.entity.js';
import { TripDeltaEntity, TripRollupEntity } from '../modules/metrics/persistence/trip-rollup.entity.js';
import { StepDeltaEntity, StepRollupEntity } from '../modules/metrics/persistence/step-rollup.entity.js';
import { EventDeltaEntity, EventRollupEntity } from '../modules/metrics/persistence/event-rollup.entity.js';
import {
  ContactDeltaEntity,
  ContactRollupEntity,
} from '../modules/metrics/persistence/contact-rollup.entity.js';
import { ContactActivityEntity } from '../modules/metrics/persistence/contact-activity.entity.js';
import { ContactTransitionEntity } from '../modules/metrics/persistence/contact-transition.entity.js';
import { EventPersonEntity } from '../modules/metrics/persistence/event-person.entity.js';
import { ReportEntity } from '../modules/reports/persistence/report.entity.js';
import { ReportEmailEntity } from '../modules/reports/persistence/report-email.entity.js';
import { ReportRecipientEntity } from '../modules/reports/persistence/report-recipient.entity.js';
import { ReportScheduleEntity } from '../modules/reports/persistence/report-schedule.entity.js';
import { ReportShareEntity } from '../modules/reports/persistence/report-share.entity.js';
import { NoticeEntity } from '../modules/notices/persistence/notice.entity.js';
import { ContactPreferencesEntity } from '../modules/preferences/persistence/contact-preferences.entity.js';
import { PreferenceChangeEntity } from '../modules/preferences/persistence/preference-change.entity.js';
import { TopicEntity } from '../modules/preferences/persistence/topic.entity.js';
import { SegmentMemberEntity } from '../modules/segments/persistence/segment-member.entity.js';
import { SegmentRefreshEntity } from '../modules/segments/persistence/segment-refresh.entity.js';
import { SegmentTouchEntity } from '../modules/segments/persistence/segment-touch.entity.js';
import { ContactEntity } from '../modules/contacts/persistence/contact.entity.js';
import { DkimKeyEntity } from '../modules/domains/persistence/dkim-key.entity.js';
import { SendingDomainEntity } from '../modules/domains/persistence/sending-domain.entity.js';
import { EmailLogEntity } from '../modules/delivery/persistence/email-log.entity.js';
import { SendKeyEntity } from '../modules/delivery/persistence/send-key.entity.js';
import { SendLineEntity } from '../modules/delivery/persistence/send-line.entity.js';
import { SendingFigureEntity } from '../modules/delivery/persistence/sending-figure.entity.js';
import { SendingPauseEntity } from '../modules/delivery/persistence/sending-pause.entity.js';
import { PromotionalSendingEntity } from '../modules/delivery/persistence/promotional-sending.entity.js';
import { SendReviewEntity } from '../modules/delivery/persistence/send-review.entity.js';
import { SpentSlotEntity } from '../modules/delivery/persistence/spent-slot.entity.js';
import { EventEntity } from '../modules/events/persistence/event.entity.js';
import { IdempotencyKeyEntity } from '../modules/events/persistence/idempotency-key.entity.js';
import { FeedbackEntity } from '../modules/feedback/persistence/feedback.entity.js';
import { ProviderEventDayEntity } from '../modules/feedback/persistence/provider-event-day.entity.js';
import { FlowEntity } from '../modules/flows/persistence/flow.entity.js';
import { FlowGoalEntity } from '../modules/flows/persistence/flow-goal.entity.js';
import { FlowStatusEntity } from '../modules/flows/persistence/flow-status.entity.js';
import { FlowVersionEntity } from '../modules/flows/persistence/flow-version.entity.js';
import { SegmentEntity } from '../modules/segments/persistence/segment.entity.js';
import { DeadLetterEntity } from '../modules/dead-letters/persistence/dead-letter.entity.js';
import { InFlightWorkEntity } from '../modules/dead-letters/persistence/in-flight-work.entity.js';
import { SuppressionEntity } from '../modules/suppressions/persistence/suppression.entity.js';
import { TemplateEntity } from '../modules/templates/persistence/template.entity.js';
import { TemplateVersionEntity } from '../modules/templates/persistence/template-version.entity.js';
import { StepCounterEntity } from '../modules/trips/persistence/step-counter.entity.js';
import { GoalConversionEntity } from '../modules/trips/persistence/goal-conversion.entity.js';
import { GoalHourEntity } from '../modules/trips/persistence/goal-hour.entity.js';
import { TripEntity } from '../modules/trips/persistence/trip.entity.js';
import { TripMoveEntity } from '../modules/trips/persistence/trip-move.entity.js';
import { TripSweepEntity } from '../modules/trips/persistence/trip-sweep.entity.js';
import { TripCounterEntity } from '../modules/trips/persistence/trip-counter.entity.js';
import { MemberEntity } from '../modules/workspaces/persistence/member.entity.js';
import { WorkspaceEntity } from '../modules/workspaces/persistence/workspace.entity.js';
import { SendingDomains20261123101500 } from '../migrations/20261123101500-sending-domains.js';
import { FirstEmail20261121120000 } from '../migrations/20261121120000-first-email.js';
import { DataPlane20261121200000 } from '../migrations/20261121200000-data-plane.js';
import { EmailOrigin20261122034500 } from '../migrations/20261122034500-email-origin.js';
import { SetAsideWork20261122042600 } from '../migrations/20261122042600-set-aside-work.js';
import { Allowances20261122035947 } from '../migrations/20261122035947-allowances.js';
import { WorkerDeaths20261122065512 } from '../migrations/20261122065512-worker-deaths.js';
import { StepIds20261122111500 } from '../migrations/20261122111500-step-ids.js';
import { FlowChanges20261122112200 } from '../migrations/20261122112200-flow-changes.js';
import { LinesOfSources20261122130000 } from '../migrations/20261122130000-lines-of-sources.js';
import { TripTrails20261122120000 } from '../migrations/20261122120000-trip-trails.js';
import { RoomyContacts20261122210000 } from '../migrations/20261122210000-roomy-contacts.js';
import { TripSweeps20261122220000 } from '../migrations/20261122220000-trip-sweeps.js';
import { Preferences20261123103000 } from '../migrations/20261123103000-preferences.js';
import { TripTallies20261122111800 } from '../migrations/20261122111800-trip-tallies.js';
import { TemplateVersions20261121180000 } from '../migrations/20261121180000-template-versions.js';
import { SendGates20261122111200 } from '../migrations/20261122111200-send-gates.js';
import { Refusals20261122040500 } from '../migrations/20261122040500-refusals.js';
import { FlowGoals20261122111700 } from '../migrations/20261122111700-flow-goals.js';
import { GoalConversions20261122114500 } from '../migrations/20261122114500-goal-conversions.js';
import { Suppressions20261123100000 } from '../migrations/20261123100000-suppressions.js';
import { Feedback20261123104500 } from '../migrations/20261123104500-feedback.js';
import { DirectSends20261123110000 } from '../migrations/20261123110000-direct-sends.js';
import { Transports20261123130000 } from '../migrations/20261123130000-transports.js';
import { SendingPauses20261123140000 } from '../migrations/20261123140000-sending-pauses.js';
import { AuditLog20261123160000 } from '../migrations/20261123160000-audit-log.js';
import { OneOwner20261123161500 } from '../migrations/20261123161500-one-owner.js';
import { IndexesOfMessages20261123180000 } from '../migrations/20261123180000-indexes-of-messages.js';
import { KeyRotation20261124000000 } from '../migrations/20261124000000-key-rotation.js';
import { Billing20261124010000 } from '../migrations/20261124010000-billing.js';
import { WorkspaceDeletion20261124001000 } from '../migrations/20261124001000-workspace-deletion.js';
import { SharedRates20261124020000 } from '../migrations/20261124020000-shared-rates.js';
import { Notices20261124030000 } from '../migrations/20261124030000-notices.js';
import { UsageNotices20261124031000 } from '../migrations/20261124031000-usage-notices.js';
import { UsageNoticeEntity } from '../modules/usage/persistence/usage-notice.entity.js';
import { SecondThoughts20261124033000 } from '../migrations/20261124033000-second-thoughts.js';
import { FrozenTemplates20261124040000 } from '../migrations/20261124040000-frozen-templates.js';
import { FrozenTemplateEntity } from '../modules/templates/persistence/frozen-template.entity.js';
import { Campaigns20261125000000 } from '../migrations/20261125000000-campaigns.js';
import { Rollups20261125120000 } from '../migrations/20261125120000-rollups.js';
import { QualityAnalysis20261125180000 } from '../migrations/20261125180000-quality-analysis.js';
import { Imports20261126000000 } from '../migrations/20261126000000-imports.js';
import { ConfirmedSubscriptions20261127100000 } from '../migrations/20261127100000-confirmed-subscriptions.js';
import { FieldTypes20261127210000 } from '../migrations/20261127210000-field-types.js';
import { ReportRecipients20261128100000 } from '../migrations/20261128100000-report-recipients.js';
import { StoredFileSizes20261128110000 } from '../migrations/20261128110000-stored-file-sizes.js';
import { CampaignAddresses20261128120000 } from '../migrations/20261128120000-campaign-addresses.js';
import { InspectSubjects20261128140000 } from '../migrations/20261128140000-inspect-subjects.js';
import { MeasuredFigures20261128160000 } from '../migrations/20261128160000-measured-figures.js';
import { PlanChanges20261124032000 } from '../migrations/20261124032000-plan-changes.js';
import type { SchemaSource } from '../platform/database/data-source.js';
import { ProcessLeaseEntity } from '../platform/database/process-lease.entity.js';
import { ProductClockEntity } from '../platform/database/product-clock.entity.js';

export const SCHEMA: SchemaSource = {
  entities: [
    AllowanceEntity,
    ApiKeyEntity,
    ApiKeyUseEntity,
    AuditEntryEntity,
    BillingEventEntity,
    UnmatchedBillingEventEntity,
    SubscriptionEntity,
    CampaignAddressEntity,
    CampaignEntity,
    CampaignInstanceEntity,
    CampaignRecipientEntity,
    CampaignSignalEntity,
    CampaignCounterEntity,
    ContactCountEntity,
    EmailDeltaEntity,
    EmailRollupEntity,
    TripDeltaEntity,
    TripRollupEntity,
    StepDeltaEntity,
    StepRollupEntity,
    EventDeltaEntity,
    EventRollupEntity,
    ContactDeltaEntity,
    ContactRollupEntity,
    ContactActivityEntity,
    ContactTransitionEntity,
    EventPersonEntity,
    ReportEntity,
    ReportEmailEntity,
    ReportRecipientEntity,
    ReportScheduleEntity,
    ReportShareEntity,
    ImportErrorEntity,
    ImportFilePieceEntity,
    ImportFileEntity,
    ImportFindingEntity,
    ImportJobEntity,
    ImportRowEntity,
    ImportSeenEntity,
    InspectConfigEntity,
    InspectCreditEntryEntity,
    InspectCreditMonthEntity,
    InspectFetchEntity,
    InspectFindingEntity,
    InspectJobEntity,
    InspectMarkEntity,
    InspectOverrideEntity,
    InspectScreenshotEntity,
    ContactEntity,
    ContactPreferencesEntity,
    LatestEventEntity,
    MonthlyEmailsEntity,
    MonthlyUsageEntity,
    RateWindowEntity,
    SegmentMemberEntity,
    SegmentRefreshEntity,
    SegmentTouchEntity,
    DkimKeyEntity,
    EmailLogEntity,
    ErasedContactEntity,
    EventEntity,
    FeedbackEntity,
    ProviderEventDayEntity,
    FlowEntity,
    FrozenTemplateEntity,
    FlowGoalEntity,
    FlowStatusEntity,
    FlowVersionEntity,
    GoalConversionEntity,
    GoalHourEntity,
    IdempotencyKeyEntity,
    MemberEntity,
    NoticeEntity,
    PreferenceChangeEntity,
    ProcessLeaseEntity,
    ProductClockEntity,
    OptOutEntity,
    OptOutKeyEntity,
    SegmentEntity,
    SendingDomainEntity,
    SendKeyEntity,
    SendingFigureEntity,
    SendingPauseEntity,
    PromotionalSendingEntity,
    SendLineEntity,
    SendReviewEntity,
    DeadLetterEntity,
    SuppressionEntity,
    TemplateEntity,
    TemplateVersionEntity,
    SpentSlotEntity,
    StepCounterEntity,
    TopicEntity,
    TripEntity,
    TripMoveEntity,
    TripSweepEntity,
    TripCounterEntity,
    UsageNoticeEntity,
    InFlightWorkEntity,
    WorkspaceEntity,
  ],
  migrations: [
    FirstEmail20261121120000,
    TemplateVersions20261121180000,
    DataPlane20261121200000,
    EmailOrigin20261122034500,
    Allowances20261122035947,
    Refusals20261122040500,
    SetAsideWork20261122042600,
    WorkerDeaths20261122065512,
    SendGates20261122111200,
    StepIds20261122111500,
    FlowGoals20261122111700,
    TripTallies20261122111800,
    FlowChanges20261122112200,
    GoalConversions20261122114500,
    TripTrails20261122120000,
    LinesOfSources20261122130000,
    RoomyContacts20261122210000,
    TripSweeps20261122220000,
    Suppressions20261123100000,
    SendingDomains20261123101500,
    Preferences20261123103000,
    Feedback20261123104500,
    DirectSends20261123110000,
    Transports20261123130000,
    SendingPauses20261123140000,
    AuditLog20261123160000,
    OneOwner20261123161500,
    IndexesOfMessages20261123180000,
    KeyRotation20261124000000,
    WorkspaceDeletion20261124001000,
    Billing20261124010000,
    SharedRates20261124020000,
    Notices20261124030000,
    UsageNotices20261124031000,
    PlanChanges20261124032000,
    SecondThoughts20261124033000,
    FrozenTemplates20261124040000,
    Campaigns20261125000000,
    Rollups20261125120000,
    QualityAnalysis20261125180000,
    Imports20261126000000,
    ConfirmedSubscriptions20261127100000,
    FieldTypes20261127210000,
    ReportRecipients20261128100000,
    StoredFileSizes20261128110000,
    CampaignAddresses20261128120000,
    InspectSubjects20261128140000,
    MeasuredFigures20261128160000,
  ],
};
