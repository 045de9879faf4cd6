/** Preflight and quality analysis with their REST and GraphQL APIs. */
import { Module } from '@nestjs/common';
import { FindingFixesResolver } from './graphql/finding-fixes.resolver.js';
import { InspectResolver } from './graphql/inspect.resolver.js';
import { InspectSettingsResolver } from './graphql/inspect-settings.resolver.js';
import { PreflightResolver } from './graphql/preflight.resolver.js';
import { InspectController } from './http/inspect.controller.js';
import { ScreenshotController } from './http/screenshot.controller.js';
import { InspectSettingsController } from './http/inspect-settings.controller.js';
import { TemplatePreflightController } from './http/template-preflight.controller.js';
import { PreSendController } from './http/pre-send.controller.js';
import { PreSendResolver } from './graphql/pre-send.resolver.js';
import { InspectGateModule } from './inspect-gate.module.js';
import { InspectRenderingModule } from './inspect-rendering.module.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { InspectModule } from './inspect.module.js';

@Module({
  imports: [InspectGateModule, InspectModule, InspectRenderingModule, InspectRunsModule],
  // Paths of one segment come before those that contain a run's id.
  controllers: [
    PreSendController,
    InspectSettingsController,
    ScreenshotController,
    InspectController,
    TemplatePreflightController,
  ],
  providers: [
    FindingFixesResolver,
    InspectResolver,
    InspectSettingsResolver,
    PreSendResolver,
    PreflightResolver,
  ],
})
export class InspectApiModule {}
