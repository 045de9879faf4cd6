/** Unsubscribing, with its public pages. */
import { Module } from '@nestjs/common';
import { UnsubscribeController } from './http/unsubscribe.controller.js';
import { UnsubscribeModule } from './unsubscribe.module.js';

@Module({ imports: [UnsubscribeModule], controllers: [UnsubscribeController] })
export class UnsubscribeApiModule {}
