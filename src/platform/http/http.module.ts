/** What the HTTP face of a process has beside its routes. */
import { Global, Module } from '@nestjs/common';
import { ReadinessState } from '../telemetry/readiness-state.js';

@Global()
@Module({ providers: [ReadinessState], exports: [ReadinessState] })
export class HttpModule {}
