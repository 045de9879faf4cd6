/** Renderings of messages in email clients, the browser for them, and the stored screenshots. */
import { Module } from '@nestjs/common';
import { BrowserModule } from '../../platform/browser/browser.module.js';
import { RenderingChecks } from './application/rendering-checks.js';
import { Screenshots } from './application/screenshots.js';
import { InspectScreenshotRepository } from './persistence/inspect-screenshot.repository.js';

@Module({
  imports: [BrowserModule],
  providers: [InspectScreenshotRepository, RenderingChecks, Screenshots],
  exports: [RenderingChecks, Screenshots],
})
export class InspectRenderingModule {}
