/** Templates with their faces. */
import { Module } from '@nestjs/common';
import { TemplatesResolver } from './graphql/templates.resolver.js';
import { TemplatesController } from './http/templates.controller.js';
import { TemplatesModule } from './templates.module.js';

@Module({ imports: [TemplatesModule], controllers: [TemplatesController], providers: [TemplatesResolver] })
export class TemplatesApiModule {}
