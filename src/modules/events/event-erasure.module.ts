/** Erases personal data from events. */
import { Module } from '@nestjs/common';
import { EventErasure } from './application/event-erasure.js';
import { EventErasureRepository } from './persistence/event-erasure.repository.js';

@Module({ providers: [EventErasure, EventErasureRepository], exports: [EventErasure] })
export class EventErasureModule {}
