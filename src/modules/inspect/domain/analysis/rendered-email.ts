/**
 * Prepares a rendered message for rules: parses it and blanks made-up values like expressions in a source, so that no
 * rule reports values that no reader will see.
 */
import type { TemplateNode } from '../../../../language/language.js';
import { readEmail, type EmailReading } from '../email/parsed-email.js';
import type { Rendering } from './rendering.js';

/** @param blankAll whether to blank a contact's own values too. */
export function readRendered(rendering: Rendering, blankAll: boolean): EmailReading {
  return readEmail(rendering.message.html, nodesOf(rendering, blankAll));
}

/** The rendered HTML as a tree of texts and of unknown values. */
function nodesOf({ message, pieces, values, ownValues }: Rendering, blankAll: boolean): TemplateNode[] {
  const nodes: TemplateNode[] = [];
  let start = 0;
  const addText = (end: number): void => {
    if (end > start)
      nodes.push({ kind: 'text', text: message.html.slice(start, end), position: positionOf(start) });
  };
  for (const [index, { rendered, source, isText }] of pieces.entries()) {
    if (isText || !values.has(source) || (!blankAll && ownValues.has(source))) continue;
    const end = pieces[index + 1]?.rendered ?? message.html.length;
    addText(rendered);
    nodes.push({ kind: 'output', value: UNKNOWN_VALUE, position: positionOf(rendered), end });
    start = end;
  }
  addText(message.html.length);
  return nodes;
}

const UNKNOWN_VALUE = { value: { kind: 'text', text: '' }, modifiers: [] } as const;

/** Lines are not needed here. */
function positionOf(offset: number): TemplateNode['position'] {
  return { offset, line: 1, column: 1 };
}
