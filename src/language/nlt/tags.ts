/** Prints single tags of conditions and loops. */
import { printNodes } from './formatter.js';
import { MAX_BLOCK_LENGTH } from './limits.js';
import type { Condition, PipedValue, Position } from './tree.js';

export const ELSE_TAG = '{else}';
export const END_IF_TAG = '{end if}';
export const END_FOR_TAG = '{end for}';

const noPosition: Position = { offset: 0, line: 1, column: 1 };

/** `{if …}`; null if it would exceed the length of an expression. */
export function ifTag(condition: Condition): string | null {
  const branch = { condition, body: [], position: noPosition, end: 0 };
  const printed = printNodes([{ kind: 'if', branches: [branch], otherwise: null, position: noPosition }]);
  return withinLimit(printed.slice(0, -END_IF_TAG.length));
}

/** `{else if …}`; null if it would be too long. */
export function elseIfTag(condition: Condition): string | null {
  const tag = ifTag(condition);
  return tag === null ? null : withinLimit(tag.replace('{if', '{else if'));
}

/** `{for each …}`; null if it would be too long. */
export function forTag(variable: string, list: PipedValue): string | null {
  const printed = printNodes([{ kind: 'for', variable, list, body: [], position: noPosition, end: 0 }]);
  return withinLimit(printed.slice(0, -END_FOR_TAG.length));
}

function withinLimit(tag: string): string | null {
  return tag.length > MAX_BLOCK_LENGTH ? null : tag;
}
