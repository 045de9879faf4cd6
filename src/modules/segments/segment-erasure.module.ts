/** Erases a contact's data in segments. */
import { Module } from '@nestjs/common';
import { SegmentErasure } from './application/segment-erasure.js';
import { SegmentErasureRepository } from './persistence/segment-erasure.repository.js';

@Module({ providers: [SegmentErasure, SegmentErasureRepository], exports: [SegmentErasure] })
export class SegmentErasureModule {}
