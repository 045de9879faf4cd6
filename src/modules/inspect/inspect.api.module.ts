/** Preflight with its faces. */
import { Module } from '@nestjs/common';
import { PreflightResolver } from './graphql/preflight.resolver.js';
import { TemplatePreflightController } from './http/template-preflight.controller.js';
import { PreSendResolver } from './graphql/pre-send.resolver.js';
import { PreSendController } from './http/pre-send.controller.js';
import { InspectGateModule } from './inspect-gate.module.js';
import { InspectModule } from './inspect.module.js';

@Module({
  imports: [InspectGateModule, InspectModule],
  controllers: [PreSendController, TemplatePreflightController],
  providers: [PreflightResolver, PreSendResolver],
})
export class InspectApiModule {}
