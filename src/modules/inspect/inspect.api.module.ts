/** Preflight with its faces. */
import { Module } from '@nestjs/common';
import { PreflightResolver } from './graphql/preflight.resolver.js';
import { TemplatePreflightController } from './http/template-preflight.controller.js';
import { InspectModule } from './inspect.module.js';

@Module({
  imports: [InspectModule],
  controllers: [TemplatePreflightController],
  providers: [PreflightResolver],
})
export class InspectApiModule {}
