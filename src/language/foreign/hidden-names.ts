/**
 * Finds the names of a foreign template whose values cannot be tracked, and defines which tags open and close blocks.
 */
import type { BraceDialect } from './brace-dialect.js';
import { BraceScanner } from './brace-scanner.js';
import { MAX_FOREIGN_BLOCKS } from './foreign-limits.js';

export type BlockKind = 'if' | 'unless' | 'case' | 'for';

/** The tags that close conditions and loops. */
export const CLOSING_TAGS: ReadonlyMap<string, BlockKind> = new Map([
  ['endif', 'if'],
  ['endunless', 'unless'],
  ['endcase', 'case'],
  ['endfor', 'for'],
]);
const OPENING_TAGS = new Set<string>(['if', 'unless', 'case', 'for', 'tablerow']);

/** Names assigned inside conditions or loops, or in ways that cannot be tracked; in linear time. */
export function hiddenNames(source: string, { hasComments }: BraceDialect): ReadonlySet<string> {
  const hidden = new Set<string>();
  const scanner = new BraceScanner(source, hasComments);
  let depth = 0;
  let count = 0;
  for (let block = scanner.next(); block !== null && count < MAX_FOREIGN_BLOCKS; block = scanner.next()) {
    count++;
    if (block.kind !== 'tag') continue;
    const [, tag = '', name = ''] = /^\s*(\w+)\s*([\w-]*)/.exec(block.inner) ?? [];
    if (OPENING_TAGS.has(tag)) depth++;
    else if (CLOSING_TAGS.has(tag)) depth = Math.max(0, depth - 1);
    else if ((tag === 'assign' && depth > 0) || /^(?:capture|increment|decrement|cycle)$/.test(tag))
      hidden.add(name);
    else if (/^(?:connected_content|catalog_items|with|catalog|today|regroup)$/.test(tag)) {
      for (const [, saved = ''] of block.inner.matchAll(/(?::save|\bas)\s+(\w+)|(?<=\bwith\s)\b(\w+)=/g))
        hidden.add(saved);
    }
  }
  hidden.delete('');
  return hidden;
}
