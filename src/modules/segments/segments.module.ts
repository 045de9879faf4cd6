/** Segments: their filters, their members, and how the members are kept up to date. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { SegmentAudience } from './application/segment-audience.js';
import { SegmentCatalogue } from './application/segment-catalogue.js';
import { SegmentEvaluationService } from './application/segment-evaluation.service.js';
import { SegmentMembership } from './application/segment-membership.js';
import { DueRefreshes, TouchedContacts } from './application/segment-queues.js';
import { SegmentRefreshService } from './application/segment-refresh.service.js';
import { SegmentTouches } from './application/segment-touches.js';
import { SegmentService } from './application/segment.service.js';
import { TouchByEvents, TouchChangedContacts } from './application/touching-listeners.js';
import { TouchedContactsService } from './application/touched-contacts.service.js';
import { ContactFactsRepository } from './persistence/contact-facts.repository.js';
import { SegmentAudienceRepository } from './persistence/segment-audience.repository.js';
import { SegmentMemberRepository } from './persistence/segment-member.repository.js';
import { SegmentRefreshRepository } from './persistence/segment-refresh.repository.js';
import { SegmentSurveyRepository } from './persistence/segment-survey.repository.js';
import { SegmentTouchRepository } from './persistence/segment-touch.repository.js';
import { SegmentRepository } from './persistence/segment.repository.js';

@Module({
  imports: [ContactsModule, SetAsideModule],
  providers: [
    DueRefreshes,
    ContactFactsRepository,
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
    SegmentSurveyRepository,
    SegmentTouches,
    SegmentTouchRepository,
    TouchByEvents,
    TouchChangedContacts,
    TouchedContacts,
    TouchedContactsService,
  ],
  exports: [
    DueRefreshes,
    TouchedContacts,
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
