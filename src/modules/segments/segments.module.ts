/** Segments: their storage. */
import { Module } from '@nestjs/common';
import { SegmentService } from './application/segment.service.js';
import { SegmentRepository } from './persistence/segment.repository.js';

@Module({ providers: [SegmentRepository, SegmentService], exports: [SegmentService] })
export class SegmentsModule {}
