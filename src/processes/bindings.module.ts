/**
 * Binds the ports through which modules call higher modules to their implementations, and defines which listeners
 * handle which events in which order. Listeners run one after another in the transaction of the event. Segments come
 * first, because they only mark contacts: listeners that act on a batch (trips) then see the marks.
 */
import { Global, Module, type Abstract, type Provider, type Type } from '@nestjs/common';
import { CampaignConversions } from '../modules/campaigns/application/campaign-conversions.js';
import { DueCampaigns } from '../modules/campaigns/application/due-campaigns.js';
import { CampaignSendingStandings } from '../modules/campaigns/application/campaign-sending-standings.js';
import {
  TallyEngagement,
  TallySettledMessages,
  TallyUnsubscriptions,
} from '../modules/campaigns/application/campaign-tallies.js';
import { CampaignStandingsModule } from '../modules/campaigns/campaign-standings.module.js';
import { CampaignStandings } from '../modules/delivery/application/campaign-standings.port.js';
import { ContactChangesListener } from '../modules/contacts/application/contact-changes.listener.js';
import { PersonalData, type PersonalDataKeeper } from '../modules/contacts/application/personal-data.port.js';
import { ChargesGivenBack } from '../modules/delivery/application/charges-given-back.js';
import { QueuedMessages } from '../modules/delivery/application/queued-messages.js';
import { EmailErasureModule } from '../modules/delivery/email-erasure.module.js';
import { DeliveryModule } from '../modules/delivery/delivery.module.js';
import { CounterRenewal } from '../modules/limits/application/counter-renewal.port.js';
import { TemplateChanges } from '../modules/templates/application/template-changes.port.js';
import { AutoRuns } from '../modules/inspect/application/auto-runs.js';
import { CreditRenewal } from '../modules/inspect/application/credit-renewal.js';
import { ImportErasure } from '../modules/imports/application/import-erasure.js';
import { ImportsErasureModule } from '../modules/imports/imports-erasure.module.js';
import { InspectErasure } from '../modules/inspect/application/inspect-erasure.js';
import { InspectChangesModule } from '../modules/inspect/inspect-changes.module.js';
import { InspectErasureModule } from '../modules/inspect/inspect-erasure.module.js';
import { DueDomainChecks } from '../modules/domains/application/due-domain-checks.js';
import { DomainsModule } from '../modules/domains/domains.module.js';
import { ExpiredEvents, PendingEvents } from '../modules/events/application/event-queues.js';
import { EventErasureModule } from '../modules/events/event-erasure.module.js';
import { EventsModule } from '../modules/events/events.module.js';
import { DueRefreshes, TouchedContacts } from '../modules/segments/application/segment-queues.js';
import { WorkQueues, type WorkQueue } from '../modules/set-aside/application/work-queue.js';
import { DueTrips } from '../modules/trips/application/due-trips.js';
import { EmailErasure } from '../modules/delivery/application/email-erasure.js';
import { TripsCutShort } from '../modules/delivery/application/trips-cut-short.port.js';
import { HeldMessages } from '../modules/delivery/application/held-messages.js';
import { SendRules } from '../modules/delivery/application/send-rules.port.js';
import { EngagementGoals } from '../modules/trips/application/engagement-goals.js';
import { EmailEngagementListener } from '../modules/feedback/application/email-engagement.listener.js';
import { FeedbackErasure } from '../modules/feedback/application/feedback-erasure.js';
import { RefusedAddresses } from '../modules/feedback/application/refused-addresses.js';
import { StandingFeedback } from '../modules/feedback/application/standing-feedback.js';
import { WaitingFeedback } from '../modules/feedback/application/waiting-feedback.js';
import { FeedbackErasureModule } from '../modules/feedback/feedback-erasure.module.js';
import { FeedbackModule } from '../modules/feedback/feedback.module.js';
import { SendThrottles } from '../modules/delivery/application/send-throttles.port.js';
import { SendingTally } from '../modules/delivery/application/sending-tally.js';
import { SettledMessagesListener } from '../modules/delivery/application/settled-messages.listener.js';
import { UnsubscribedMessages } from '../modules/delivery/application/unsubscribed-messages.js';
import { UntoldMessages } from '../modules/delivery/application/untold-messages.js';
import { AcceptedEventsListener } from '../modules/events/application/accepted-events.listener.js';
import { DeletedEventsListener } from '../modules/events/application/deleted-events.listener.js';
import { EventErasure } from '../modules/events/application/event-erasure.js';
import { DomainNews } from '../modules/domains/application/domain-news.port.js';
import { CampaignNews } from '../modules/campaigns/application/campaign-news.port.js';
import { CampaignMails } from '../modules/notices/application/campaign-mails.js';
import { DomainMails } from '../modules/notices/application/domain-mails.js';
import { InvitationMails } from '../modules/notices/application/invitation-mails.js';
import { PauseMails } from '../modules/notices/application/pause-mails.js';
import { QueuedNotices } from '../modules/notices/application/queued-notices.js';
import { ReturnedNotices } from '../modules/notices/application/returned-notices.js';
import { ProductMailFeedback } from '../modules/feedback/application/product-mail-feedback.port.js';
import { ActivityByEngagement, ActivityByEvents } from '../modules/metrics/application/activity.js';
import { MetricsModule } from '../modules/metrics/metrics.module.js';
import { Letters } from '../modules/notices/application/letters.port.js';
import { NoticesModule } from '../modules/notices/notices.module.js';
import { PauseNews } from '../modules/delivery/application/pause-news.port.js';
import { TeamNews } from '../modules/workspaces/application/team-news.port.js';
import { DueSchedules } from '../modules/reports/application/due-schedules.js';
import { ReportLetters } from '../modules/reports/application/report-letters.js';
import { ReportLettersModule } from '../modules/reports/report-letters.module.js';
import { FlowChanges } from '../modules/flows/application/flow-changes.port.js';
import { TripCounts } from '../modules/flows/application/trip-counts.port.js';
import { TripTermination } from '../modules/flows/application/trip-termination.port.js';
import { PreferenceChangesListener } from '../modules/preferences/application/preference-changes.listener.js';
import { PreferenceErasure } from '../modules/preferences/application/preference-erasure.js';
import { PreferenceErasureModule } from '../modules/preferences/preference-erasure.module.js';
import { SegmentErasure } from '../modules/segments/application/segment-erasure.js';
import { TouchByEvents, TouchChangedContacts } from '../modules/segments/application/touching-listeners.js';
import { SegmentErasureModule } from '../modules/segments/segment-erasure.module.js';
import { SegmentsModule } from '../modules/segments/segments.module.js';
import { SuppressionErasure } from '../modules/suppressions/application/suppression-erasure.js';
import { SuppressionErasureModule } from '../modules/suppressions/suppression-erasure.module.js';
import { EndedTripsListener } from '../modules/trips/application/ended-trips.listener.js';
import { TripsEndedOutside } from '../modules/trips/application/trips-ended-outside.js';
import { FlowSendRules, HeldByFlows } from '../modules/trips/application/flow-send-rules.js';
import { FlowThrottles } from '../modules/trips/application/flow-throttles.js';
import {
  EndTripsOfDeletedContacts,
  FlowTripCounts,
  FlowTripTermination,
  WakeTrips,
} from '../modules/trips/application/flow-trips.js';
import { StartedTripsListener } from '../modules/trips/application/started-trips.listener.js';
import { ForgetConversions, TallyConversions } from '../modules/trips/application/goal-tallies.js';
import { RecordedConversionsListener } from '../modules/trips/application/recorded-conversions.listener.js';
import { RevivedTripsListener } from '../modules/trips/application/revived-trips.listener.js';
import {
  TallyEndedTrips,
  TallyRevivedTrips,
  TallyStartedTrips,
} from '../modules/trips/application/trip-tallies.js';
import { TripEvents } from '../modules/trips/application/trip-events.js';
import { TripErasure } from '../modules/trips/application/trip-erasure.js';
import { TripErasureModule } from '../modules/trips/trip-erasure.module.js';
import { SettingsChanges } from '../modules/workspaces/application/settings-changes.port.js';
import { TripsModule } from '../modules/trips/trips.module.js';
import { Listeners, type Listener } from '../platform/database/listener.js';

const KEEPERS = [
  EventErasure,
  EmailErasure,
  FeedbackErasure,
  SegmentErasure,
  SuppressionErasure,
  TripErasure,
  PreferenceErasure,
  InspectErasure,
  ImportErasure,
];

const QUEUES_OF_ROWS = [
  PendingEvents,
  DueTrips,
  QueuedMessages,
  UntoldMessages,
  WaitingFeedback,
  TouchedContacts,
  DueRefreshes,
  ExpiredEvents,
  DueDomainChecks,
  QueuedNotices,
  DueCampaigns,
  DueSchedules,
];

/** Registers these listeners, in this order, for the events of the port. */
function heard<Item>(port: Abstract<Listener<Item>>, by: readonly Type<Listener<Item>>[]): Provider {
  return {
    provide: port,
    inject: [...by],
    useFactory: (...listeners: Listener<Item>[]) => new Listeners(listeners),
  };
}

/** The services that contact erasure needs. */
@Global()
@Module({
  imports: [
    EmailErasureModule,
    EventErasureModule,
    FeedbackErasureModule,
    ImportsErasureModule,
    InspectErasureModule,
    PreferenceErasureModule,
    SegmentErasureModule,
    SuppressionErasureModule,
    TripErasureModule,
  ],
  providers: [
    {
      provide: PersonalData,
      inject: KEEPERS,
      useFactory: (...keepers: PersonalDataKeeper[]) => new PersonalData(keepers),
    },
  ],
  exports: [PersonalData],
})
export class ErasureBindingsModule {}

@Global()
@Module({
  imports: [
    CampaignStandingsModule,
    DeliveryModule,
    DomainsModule,
    ErasureBindingsModule,
    EventsModule,
    FeedbackModule,
    InspectChangesModule,
    MetricsModule,
    NoticesModule,
    ReportLettersModule,
    SegmentsModule,
    TripsModule,
  ],
  providers: [
    heard(ContactChangesListener, [TouchChangedContacts, EndTripsOfDeletedContacts]),
    heard(PreferenceChangesListener, [TallyUnsubscriptions, UnsubscribedMessages]),
    heard(AcceptedEventsListener, [TouchByEvents, ActivityByEvents, CampaignConversions, TripEvents]),
    heard(SettledMessagesListener, [
      ChargesGivenBack,
      WakeTrips,
      SendingTally,
      TallySettledMessages,
      RefusedAddresses,
    ]),
    heard(EmailEngagementListener, [
      StandingFeedback,
      ActivityByEngagement,
      TallyEngagement,
      EngagementGoals,
    ]),
    heard(StartedTripsListener, [TallyStartedTrips]),
    heard(EndedTripsListener, [TallyEndedTrips]),
    heard(RevivedTripsListener, [TallyRevivedTrips]),
    heard(RecordedConversionsListener, [TallyConversions]),
    heard(DeletedEventsListener, [ForgetConversions]),
    { provide: CounterRenewal, useExisting: CreditRenewal },
    { provide: TemplateChanges, useExisting: AutoRuns },
    { provide: CampaignStandings, useExisting: CampaignSendingStandings },
    { provide: TripCounts, useExisting: FlowTripCounts },
    { provide: TripsCutShort, useExisting: TripsEndedOutside },
    { provide: DomainNews, useExisting: DomainMails },
    { provide: CampaignNews, useExisting: CampaignMails },
    { provide: Letters, useExisting: ReportLetters },
    { provide: PauseNews, useExisting: PauseMails },
    { provide: ProductMailFeedback, useExisting: ReturnedNotices },
    { provide: TeamNews, useExisting: InvitationMails },
    { provide: FlowChanges, useExisting: HeldByFlows },
    { provide: SendRules, useExisting: FlowSendRules },
    { provide: SendThrottles, useExisting: FlowThrottles },
    { provide: SettingsChanges, useExisting: HeldMessages },
    { provide: TripTermination, useExisting: FlowTripTermination },
    {
      provide: WorkQueues,
      inject: QUEUES_OF_ROWS,
      useFactory: (...queues: WorkQueue[]) => new WorkQueues(queues),
    },
  ],
  exports: [
    AcceptedEventsListener,
    ContactChangesListener,
    EmailEngagementListener,
    PreferenceChangesListener,
    SettledMessagesListener,
    StartedTripsListener,
    EndedTripsListener,
    RevivedTripsListener,
    RecordedConversionsListener,
    DeletedEventsListener,
    CounterRenewal,
    TemplateChanges,
    CampaignStandings,
    TripCounts,
    TripsCutShort,
    DomainNews,
    CampaignNews,
    Letters,
    PauseNews,
    ProductMailFeedback,
    TeamNews,
    FlowChanges,
    SendRules,
    SendThrottles,
    SettingsChanges,
    TripTermination,
    WorkQueues,
  ],
})
export class BindingsModule {}
