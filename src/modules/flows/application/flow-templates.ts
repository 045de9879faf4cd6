/**
 * Checks whether everything that a flow sends can be sent, sections 3.2 and 4.2: before a flow is activated, and
 * before an active flow changes.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { Template } from '../../templates/domain/template.js';
import type { Step } from '../domain/step.js';
import { templateErrors, templateProblems, templateSlugs } from '../domain/template-problems.js';

@Injectable()
export class FlowTemplates {
  constructor(private readonly templates: TemplateService) {}

  /**
   * Checks each template that the steps send once.
   * @throws DomainError template_errors that lists every template to fix, and the steps that send it.
   */
  async assertSendable(tx: Transaction, scope: WorkspaceScope, steps: readonly Step[]): Promise<Template[]> {
    const templates = await this.templates.bySlugs(tx, scope, templateSlugs(steps));
    const problems = templateProblems(steps, templates);
    if (problems.length > 0) throw templateErrors(problems);
    return templates;
  }
}
