/**
 * Removes the expressions of a template for parsers of HTML and CSS: each character of an expression is replaced by one
 * that is harmless in markup, so that every offset still refers to the author's source.
 */
import type { TemplateNode } from '../../../../language/language.js';

/** Replaces a character of an expression that shows a value. */
export const VALUE_MARK = '\ue000';
/** Replaces a character of an expression that branches or repeats; white space in HTML and CSS. */
export const CONTROL_FLOW_MARK = '\f';

/** The branches of conditions to keep: all, or the first or last of each, which gives one possible message. */
export type Branches = 'all' | 'first' | 'last';

interface Range {
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
}

/** @param nodes the tree of the same source. */
export function blankExpressions(
  source: string,
  nodes: readonly TemplateNode[],
  branches: Branches = 'all',
): string {
  const ranges: Range[] = [];
  collect(source, nodes, branches, ranges);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, isText } of ranges) {
    const from = Math.max(start, done);
    const to = Math.min(end, source.length);
    if (to <= from) continue;
    parts.push(CONTROL_FLOW_MARK.repeat(from - done));
    parts.push(isText ? withoutMarks(source.slice(from, to)) : VALUE_MARK.repeat(to - from));
    done = to;
  }
  parts.push(CONTROL_FLOW_MARK.repeat(source.length - done));
  return parts.join('');
}

/** Whether a part of a blanked source contains expressions. */
export function holdsExpression(blanked: string): boolean {
  return blanked.includes(VALUE_MARK) || blanked.includes(CONTROL_FLOW_MARK);
}

function withoutMarks(text: string): string {
  return text.replaceAll(VALUE_MARK, '\ufffd').replaceAll(CONTROL_FLOW_MARK, ' ');
}

function collect(source: string, nodes: readonly TemplateNode[], branches: Branches, ranges: Range[]): void {
  for (const node of nodes) {
    const start = node.position.offset;
    switch (node.kind) {
      case 'text':
        for (const range of rangesOfText(source, start, node.text)) ranges.push(range);
        break;
      case 'output':
        ranges.push({ start, end: node.end, isText: false });
        break;
      case 'for':
        collect(source, node.body, branches, ranges);
        break;
      case 'if': {
        const bodies = [...node.branches.map(({ body }) => body), node.otherwise ?? []];
        const included = branches === 'all' ? bodies : [bodies.at(branches === 'first' ? 0 : -1) ?? []];
        for (const body of included) collect(source, body, branches, ranges);
        break;
      }
    }
  }
}

/** The end of a construct of Jinja2, by its beginning. */
const CLOSINGS: Readonly<Record<string, string>> = { '{#': '#}', '{{': '}}', '{%': '%}' };
/** The number of characters by which a text is found again after a construct, and the distance to search. */
const PROBE_LENGTH = 12;
const MAX_SEARCH_DISTANCE = 2_000;

/**
 * The ranges of a text in the source. That is one range, unless Jinja2 was converted: a comment leaves no text, and a
 * literal leaves its own.
 */
function rangesOfText(source: string, start: number, text: string): Range[] {
  if (source.startsWith(text, start)) return [{ start, end: start + text.length, isText: true }];
  const ranges: Range[] = [];
  let at = start;
  let done = 0;
  while (done < text.length) {
    const same = lengthOfCommon(source, at, text, done);
    const construct = [at + same, at + same - 1].find(
      (offset) => source.slice(offset, offset + 2) in CLOSINGS,
    );
    const closing = construct === undefined ? undefined : CLOSINGS[source.slice(construct, construct + 2)];
    const close = closing === undefined ? -1 : source.indexOf(closing, (construct ?? 0) + 2);
    if (construct === undefined || close < 0 || done + same === text.length) {
      ranges.push({ start: at, end: at + text.length - done, isText: true });
      break;
    }
    ranges.push({ start: at, end: construct, isText: true });
    done += construct - at;
    at = close + 2;
    const probe = source.slice(at, at + PROBE_LENGTH).split('{', 1)[0] ?? '';
    done += Math.max(0, text.slice(done, done + MAX_SEARCH_DISTANCE).indexOf(probe));
  }
  return ranges;
}

function lengthOfCommon(source: string, at: number, text: string, from: number): number {
  let length = 0;
  while (from + length < text.length && source[at + length] === text[from + length]) length++;
  return length;
}
