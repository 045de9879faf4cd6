/** Preflight and quality analysis with their faces. */
import { Module } from '@nestjs/common';
import { InspectResolver } from './graphql/inspect.resolver.js';
import { InspectSettingsResolver } from './graphql/inspect-settings.resolver.js';
import { PreflightResolver } from './graphql/preflight.resolver.js';
import { InspectController } from './http/inspect.controller.js';
import { InspectSettingsController } from './http/inspect-settings.controller.js';
import { TemplatePreflightController } from './http/template-preflight.controller.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { InspectModule } from './inspect.module.js';

@Module({
  imports: [InspectModule, InspectRunsModule],
  // Paths of one word come before those that name a run.
  controllers: [InspectSettingsController, InspectController, TemplatePreflightController],
  providers: [InspectResolver, InspectSettingsResolver, PreflightResolver],
})
export class InspectApiModule {}
