/**
 * Binds the ports through which modules call higher modules to their implementations, and defines which listeners
 * handle which events in which order. Listeners run one after another in the transaction of the event. Segments come
 * first, because they only mark contacts: listeners that act on a batch (trips) then see the marks.
 */
import { Global, Module, type Abstract, type Provider, type Type } from '@nestjs/common';
import { CampaignConversions } from '../modules/campaigns/application/campaign-conversions.js';
import { DueCampaigns } from '../modules/campaigns/application/due-campaigns.js';
import { CampaignSendStateProvider } from '../modules/campaigns/application/campaign-send-state-provider.js';
import {
  CountEngagement,
  CountSettledMessages,
  CountUnsubscribes,
} from '../modules/campaigns/application/campaign-counter-updates.js';
import { CampaignStatesModule } from '../modules/campaigns/campaign-states.module.js';
import { CampaignDeliveryStates } from '../modules/delivery/application/campaign-delivery-states.port.js';
import { ContactChangesListener } from '../modules/contacts/application/contact-changes.listener.js';
import { ChargeReversals } from '../modules/delivery/application/charge-reversals.js';
import { SendDeadLetters } from '../modules/delivery/application/send-dead-letters.js';
import { DeliveryModule } from '../modules/delivery/delivery.module.js';
import { CounterRenewal } from '../modules/limits/application/counter-renewal.port.js';
import { TemplateChanges } from '../modules/templates/application/template-changes.port.js';
import { AutoRuns } from '../modules/inspect/application/auto-runs.js';
import { CreditRenewal } from '../modules/inspect/application/credit-renewal.js';
import { InspectChangesModule } from '../modules/inspect/inspect-changes.module.js';
import { DomainCheckDeadLetters } from '../modules/domains/application/domain-check-dead-letters.js';
import { DomainsModule } from '../modules/domains/domains.module.js';
import { ExpiredEvents, PendingEvents } from '../modules/events/application/event-queues.js';
import { EventsModule } from '../modules/events/events.module.js';
import { DueRefreshesQueue, TouchedContactsQueue } from '../modules/segments/application/segment-queues.js';
import { WorkQueues, type WorkQueue } from '../modules/dead-letters/application/work-queue.js';
import { DueTrips } from '../modules/trips/application/due-trips.js';
import { TerminatedTrips } from '../modules/delivery/application/terminated-trips.port.js';
import { HeldMessages } from '../modules/delivery/application/held-messages.js';
import { SendRules } from '../modules/delivery/application/send-rules.port.js';
import { EngagementGoals } from '../modules/trips/application/engagement-goals.js';
import { EmailEngagementListener } from '../modules/feedback/application/email-engagement.listener.js';
import { RejectedAddresses } from '../modules/feedback/application/rejected-addresses.js';
import { SendingFeedbackCounters } from '../modules/feedback/application/sending-feedback-counters.js';
import { FeedbackDeadLetters } from '../modules/feedback/application/feedback-dead-letters.js';
import { FeedbackModule } from '../modules/feedback/feedback.module.js';
import { SendThrottles } from '../modules/delivery/application/send-throttles.port.js';
import { SendingCounters } from '../modules/delivery/application/sending-counters.js';
import { SettledMessagesListener } from '../modules/delivery/application/settled-messages.listener.js';
import { UnsubscribedMessages } from '../modules/delivery/application/unsubscribed-messages.js';
import { AnnouncementDeadLetters } from '../modules/delivery/application/announcement-dead-letters.js';
import { AcceptedEventsListener } from '../modules/events/application/accepted-events.listener.js';
import { DeletedEventsListener } from '../modules/events/application/deleted-events.listener.js';
import { DomainNotifications } from '../modules/domains/application/domain-notifications.port.js';
import { CampaignNotifications } from '../modules/campaigns/application/campaign-notifications.port.js';
import { CampaignNotices } from '../modules/notices/application/campaign-notices.js';
import { DomainNotices } from '../modules/notices/application/domain-notices.js';
import { InvitationNotices } from '../modules/notices/application/invitation-notices.js';
import { PauseNotices } from '../modules/notices/application/pause-notices.js';
import { QueuedNotices } from '../modules/notices/application/queued-notices.js';
import { ReturnedNotices } from '../modules/notices/application/returned-notices.js';
import { ProductMailFeedback } from '../modules/feedback/application/product-mail-feedback.port.js';
import {
  EngagementActivityListener,
  EventActivityListener,
} from '../modules/metrics/application/contact-activity.js';
import { MetricsModule } from '../modules/metrics/metrics.module.js';
import { ReportEmails } from '../modules/notices/application/report-emails.port.js';
import { NoticesModule } from '../modules/notices/notices.module.js';
import { PauseNotifications } from '../modules/delivery/application/pause-notifications.port.js';
import { TeamNotifications } from '../modules/workspaces/application/team-notifications.port.js';
import { DueSchedules } from '../modules/reports/application/due-schedules.js';
import { ReportEmailLoader } from '../modules/reports/application/report-email-loader.js';
import { ReportEmailsModule } from '../modules/reports/report-emails.module.js';
import { FlowChanges } from '../modules/flows/application/flow-changes.port.js';
import { TripCounts } from '../modules/flows/application/trip-counts.port.js';
import { TripTermination } from '../modules/flows/application/trip-termination.port.js';
import { PreferenceChangesListener } from '../modules/preferences/application/preference-changes.listener.js';
import { TouchByEvents, TouchChangedContacts } from '../modules/segments/application/touching-listeners.js';
import { SegmentsModule } from '../modules/segments/segments.module.js';
import { TerminatedTripsReader } from '../modules/trips/application/terminated-trips-reader.js';
import { FlowSendRules, FlowRuleChanges } from '../modules/trips/application/flow-send-rules.js';
import { FlowThrottles } from '../modules/trips/application/flow-throttles.js';
import {
  EndTripsOfDeletedContacts,
  FlowTripCounts,
  FlowTripTermination,
  WakeTrips,
} from '../modules/trips/application/flow-trips.js';
import { DeleteExpiredConversions } from '../modules/trips/application/goal-counters.js';
import { TripEvents } from '../modules/trips/application/trip-events.js';
import { SettingsChanges } from '../modules/workspaces/application/settings-changes.port.js';
import { TripsModule } from '../modules/trips/trips.module.js';
import { Listeners, type Listener } from '../platform/database/listener.js';
import { PersonalData } from '../platform/database/personal-data.js';
import { PERSONAL_DATA } from './personal-data.js';

const WORK_QUEUES = [
  PendingEvents,
  DueTrips,
  SendDeadLetters,
  AnnouncementDeadLetters,
  FeedbackDeadLetters,
  TouchedContactsQueue,
  DueRefreshesQueue,
  ExpiredEvents,
  DomainCheckDeadLetters,
  QueuedNotices,
  DueCampaigns,
  DueSchedules,
];

/** Registers these listeners, in this order, for the events of the port. */
function handledBy<Item>(
  port: Abstract<Listener<Item>>,
  handlers: readonly Type<Listener<Item>>[],
): Provider {
  return {
    provide: port,
    inject: [...handlers],
    useFactory: (...listeners: Listener<Item>[]) => new Listeners(listeners),
  };
}

/** What contact erasure needs. */
@Global()
@Module({
  providers: [{ provide: PersonalData, useValue: new PersonalData(PERSONAL_DATA) }],
  exports: [PersonalData],
})
export class ErasureBindingsModule {}

@Global()
@Module({
  imports: [
    CampaignStatesModule,
    DeliveryModule,
    DomainsModule,
    ErasureBindingsModule,
    EventsModule,
    FeedbackModule,
    InspectChangesModule,
    MetricsModule,
    NoticesModule,
    ReportEmailsModule,
    SegmentsModule,
    TripsModule,
  ],
  providers: [
    handledBy(ContactChangesListener, [TouchChangedContacts, EndTripsOfDeletedContacts]),
    handledBy(PreferenceChangesListener, [CountUnsubscribes, UnsubscribedMessages]),
    handledBy(AcceptedEventsListener, [
      TouchByEvents,
      EventActivityListener,
      CampaignConversions,
      TripEvents,
    ]),
    handledBy(SettledMessagesListener, [
      ChargeReversals,
      WakeTrips,
      SendingCounters,
      CountSettledMessages,
      RejectedAddresses,
    ]),
    handledBy(EmailEngagementListener, [
      SendingFeedbackCounters,
      EngagementActivityListener,
      CountEngagement,
      EngagementGoals,
    ]),
    handledBy(DeletedEventsListener, [DeleteExpiredConversions]),
    { provide: CounterRenewal, useExisting: CreditRenewal },
    { provide: TemplateChanges, useExisting: AutoRuns },
    { provide: CampaignDeliveryStates, useExisting: CampaignSendStateProvider },
    { provide: TripCounts, useExisting: FlowTripCounts },
    { provide: TerminatedTrips, useExisting: TerminatedTripsReader },
    { provide: DomainNotifications, useExisting: DomainNotices },
    { provide: CampaignNotifications, useExisting: CampaignNotices },
    { provide: ReportEmails, useExisting: ReportEmailLoader },
    { provide: PauseNotifications, useExisting: PauseNotices },
    { provide: ProductMailFeedback, useExisting: ReturnedNotices },
    { provide: TeamNotifications, useExisting: InvitationNotices },
    { provide: FlowChanges, useExisting: FlowRuleChanges },
    { provide: SendRules, useExisting: FlowSendRules },
    { provide: SendThrottles, useExisting: FlowThrottles },
    { provide: SettingsChanges, useExisting: HeldMessages },
    { provide: TripTermination, useExisting: FlowTripTermination },
    {
      provide: WorkQueues,
      inject: WORK_QUEUES,
      useFactory: (...queues: WorkQueue[]) => new WorkQueues(queues),
    },
  ],
  exports: [
    AcceptedEventsListener,
    ContactChangesListener,
    EmailEngagementListener,
    PreferenceChangesListener,
    SettledMessagesListener,
    DeletedEventsListener,
    CounterRenewal,
    TemplateChanges,
    CampaignDeliveryStates,
    TripCounts,
    TerminatedTrips,
    DomainNotifications,
    CampaignNotifications,
    ReportEmails,
    PauseNotifications,
    ProductMailFeedback,
    TeamNotifications,
    FlowChanges,
    SendRules,
    SendThrottles,
    SettingsChanges,
    TripTermination,
    WorkQueues,
  ],
})
export class BindingsModule {}
