/** Links and images that track opens and clicks. */
import { Module } from '@nestjs/common';
import { TrackingLinks } from './application/tracking-links.js';

@Module({ providers: [TrackingLinks], exports: [TrackingLinks] })
export class TrackingModule {}
