/** Services of a process that serves HTTP, apart from its routes. */
import { Global, Module } from '@nestjs/common';
import { ReadinessState } from '../telemetry/readiness-state.js';
import { ClientNetworks } from './client-networks.js';

@Global()
@Module({ providers: [ReadinessState, ClientNetworks], exports: [ReadinessState, ClientNetworks] })
export class HttpModule {}
