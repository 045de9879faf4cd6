/** Flows with their faces. */
import { Module } from '@nestjs/common';
import { FlowsModule } from './flows.module.js';
import { FlowsResolver } from './graphql/flows.resolver.js';
import { FlowsController } from './http/flows.controller.js';

@Module({ imports: [FlowsModule], controllers: [FlowsController], providers: [FlowsResolver] })
export class FlowsApiModule {}
