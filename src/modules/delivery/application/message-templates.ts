/** The templates of messages: the current version, or the version that was frozen when sending began. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { ReadyTemplate } from '../../templates/application/ready-template.js';
import { TemplateCatalogue } from '../../templates/application/template-catalogue.js';
import type { NewEmailLog } from '../domain/email-log.js';

type TemplatedMessage = Pick<NewEmailLog, 'templateSlug' | 'options'>;

/** The template of one of the loaded messages; undefined if it does not exist. */
export type TemplateOf = (message: TemplatedMessage) => ReadyTemplate | undefined;

@Injectable()
export class MessageTemplates {
  constructor(private readonly templates: TemplateCatalogue) {}

  /** @throws DomainError as TemplateCatalogue.ready. */
  async of(scope: WorkspaceScope, messages: readonly TemplatedMessage[]): Promise<TemplateOf> {
    const slugs = new Set<string>();
    const frozenIds = new Set<string>();
    for (const { templateSlug, options } of messages)
      if (options.frozenTemplateId === undefined) slugs.add(templateSlug);
      else frozenIds.add(options.frozenTemplateId);
    const bySlug = await this.templates.ready(scope, [...slugs]);
    const byId = await this.templates.frozen(scope, [...frozenIds]);
    return ({ templateSlug, options: { frozenTemplateId: id } }) =>
      id === undefined ? bySlug.get(templateSlug) : byId.get(id);
  }

  /** The template of one message, as it is stored now. */
  async reload(scope: WorkspaceScope, message: TemplatedMessage): Promise<ReadyTemplate | undefined> {
    if (message.options.frozenTemplateId !== undefined) return (await this.of(scope, [message]))(message);
    return this.templates.reload(scope, message.templateSlug);
  }
}
