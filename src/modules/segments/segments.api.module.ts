/** Segments with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ContactSegmentsResolver } from './graphql/contact-segments.resolver.js';
import { SegmentPreviewResolver, SegmentsResolver } from './graphql/segments.resolver.js';
import { ContactExportController } from './http/contact-export.controller.js';
import { SegmentsController } from './http/segments.controller.js';
import { SegmentsModule } from './segments.module.js';

@Module({
  imports: [ContactsModule, SegmentsModule],
  controllers: [ContactExportController, SegmentsController],
  providers: [ContactSegmentsResolver, SegmentPreviewResolver, SegmentsResolver],
})
export class SegmentsApiModule {}
