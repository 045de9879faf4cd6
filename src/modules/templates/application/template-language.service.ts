/** Which language a template is written in, and what it is in the other one, section 4.3. Nothing is saved. */
import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../../kernel/domain-error.js';
import {
  convert,
  type Detection,
  detectLanguage,
  type DirectedConversion,
  type Direction,
} from '../../../language/language.js';
import { contentProblem } from '../domain/template-bounds.js';

@Injectable()
export class TemplateLanguageService {
  /**
   * Counts the expressions of each language.
   * @throws DomainError invalid_field for content that no template may have.
   */
  detect(content: string): Detection {
    assertContent(content);
    return detectLanguage(content);
  }

  /**
   * Converts as `convert` of the domain does.
   * @throws DomainError invalid_field for content that no template may have.
   */
  convert(content: string, direction: Direction): DirectedConversion {
    assertContent(content);
    return convert(content, direction);
  }
}

function assertContent(content: string): void {
  const message = contentProblem(content);
  if (message !== undefined) throw invalidFields([{ field: 'content', message }]);
}
