/** Detects the language of a template, and converts it to the other one, section 4.3. Nothing is saved. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type {
  Detection,
  DirectedConversion,
  Direction,
  ForeignConversion,
  ForeignTemplate,
} from '../../../language/language.js';
import { Threads } from '../../../platform/threads/threads.js';
import { CONVERT, CONVERT_FOREIGN, DETECT } from '../domain/template-tasks.js';

@Injectable()
export class TemplateLanguageService {
  constructor(private readonly threads: Threads) {}

  /**
   * Counts the expressions of each language.
   * @throws DomainError as Threads.run.
   */
  async detect(scope: WorkspaceScope, content: string): Promise<Detection> {
    return this.threads.run(scope.workspaceId, DETECT, content);
  }

  /**
   * Converts as `convert` of the domain does.
   * @throws DomainError as Threads.run.
   */
  async convert(scope: WorkspaceScope, content: string, direction: Direction): Promise<DirectedConversion> {
    return this.threads.run(scope.workspaceId, CONVERT, { content, direction });
  }

  /**
   * Converts a template of another platform as `convertForeign` of the language does.
   * @throws DomainError as Threads.run.
   */
  async convertForeign(scope: WorkspaceScope, template: ForeignTemplate): Promise<ForeignConversion> {
    return this.threads.run(scope.workspaceId, CONVERT_FOREIGN, template);
  }
}
