/** Segments: their filters, their members, and how the members are kept up to date. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { SegmentAudience } from './application/segment-audience.js';
import { SegmentCatalogue } from './application/segment-catalogue.js';
import { SegmentEvaluationService } from './application/segment-evaluation.service.js';
import { SegmentMembership } from './application/segment-membership.js';
import { DueRefreshesQueue, TouchedContactsQueue } from './application/segment-queues.js';
import { SegmentRefreshService } from './application/segment-refresh.service.js';
import { SegmentTouches } from './application/segment-touches.js';
import { SegmentService } from './application/segment.service.js';
import { TouchByEvents, TouchChangedContacts } from './application/touching-listeners.js';
import { TouchedContactsService } from './application/touched-contacts.service.js';
import { ContactEventsRepository } from './persistence/contact-events.repository.js';
import { SegmentAudienceRepository } from './persistence/segment-audience.repository.js';
import { SegmentMemberRepository } from './persistence/segment-member.repository.js';
import { SegmentRefreshRepository } from './persistence/segment-refresh.repository.js';
import { SegmentEvaluationRepository } from './persistence/segment-evaluation.repository.js';
import { SegmentTouchRepository } from './persistence/segment-touch.repository.js';
import { SegmentRepository } from './persistence/segment.repository.js';

@Module({
  imports: [ContactsModule, DeadLettersModule],
  providers: [
    DueRefreshesQueue,
    ContactEventsRepository,
    SegmentAudience,
    SegmentAudienceRepository,
    SegmentCatalogue,
    SegmentEvaluationService,
    SegmentMemberRepository,
    SegmentMembership,
    SegmentRefreshRepository,
    SegmentRefreshService,
    SegmentRepository,
    SegmentService,
    SegmentEvaluationRepository,
    SegmentTouches,
    SegmentTouchRepository,
    TouchByEvents,
    TouchChangedContacts,
    TouchedContactsQueue,
    TouchedContactsService,
  ],
  exports: [
    DueRefreshesQueue,
    TouchedContactsQueue,
    SegmentAudience,
    SegmentEvaluationService,
    SegmentMembership,
    SegmentRefreshService,
    SegmentService,
    TouchByEvents,
    TouchChangedContacts,
  ],
})
export class SegmentsModule {}
