/** Checks nested elements that email clients separate or misread (section 4.7, html). */
import { CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import type { RuleFinding } from '../findings/finding.js';
import { isElement, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { atElement, ControlFlowOffsets, endOf } from './element-findings.js';

/** Beyond this number of nested tables, Outlook has trouble; a newsletter has some eight. */
const MAX_TABLE_DEPTH = 12;
const BLOCKS = new Set('address blockquote div dl h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '));
const INLINE = new Set('b big code em font i s small span strong sub sup u'.split(' '));
const BLANK = new RegExp(`^[\\s${VALUE_MARK}${CONTROL_FLOW_MARK}]*$`);

export function checkNesting(email: ParsedEmail): RuleFinding[] {
  return [
    ...checkDepth(email.elements),
    ...email.elements.flatMap(checkChildren),
    ...email.elements.flatMap(checkMisplaced),
    ...checkNestedLinks(email),
  ];
}

function checkDepth(elements: readonly EmailElement[]): RuleFinding[] {
  const depths = new Map<EmailElement, number>();
  const findings: RuleFinding[] = [];
  for (const element of elements) {
    const depth = ((element.parent && depths.get(element.parent)) ?? 0) + (element.name === 'table' ? 1 : 0);
    depths.set(element, depth);
    if (element.name === 'table' && depth === MAX_TABLE_DEPTH + 1) {
      findings.push(
        atElement('tables_nested_deep', element, `This table is nested inside ${MAX_TABLE_DEPTH} others.`),
      );
    }
  }
  return findings;
}

/** A parser adds a paragraph for a closing tag whose paragraph was already ended by a block. */
function checkChildren({ name: around, children }: EmailElement): RuleFinding[] {
  const findings: RuleFinding[] = [];
  let before: EmailElement | null = null;
  for (const child of children) {
    if (!isElement(child)) continue;
    const { name, isWritten } = child;
    if (name === 'p' && !isWritten && before) {
      findings.push(atElement('paragraph_split', before, `<${before.name}> ends the paragraph around it.`));
    } else if (BLOCKS.has(name) && INLINE.has(around)) {
      findings.push(atElement('block_in_inline', child, `<${name}> is inside <${around}>.`));
    }
    before = child;
  }
  return findings;
}

/** Parsers move content of a table outside its cells before the table, although it comes later in the source. */
function checkMisplaced({ children }: EmailElement): RuleFinding[] {
  const findings: RuleFinding[] = [];
  let table: EmailElement | null = null;
  for (const node of children.toReversed()) {
    if (isElement(node) && node.name === 'table') table = node;
    else if (table && node.offset > table.offset) findings.push(...misplaced(node));
  }
  return findings.reverse();
}

function misplaced(node: EmailElement['children'][number]): RuleFinding[] {
  if (isElement(node)) {
    if (!node.isWritten) return [];
    return [
      atElement('table_content_misplaced', node, `<${node.name}> is in a table but outside its cells.`),
    ];
  }
  if (BLANK.test(node.text)) return [];
  const message = 'Text is in a table but outside its cells.';
  return [
    { rule: 'table_content_misplaced', message, at: node.offset, until: node.offset + node.text.length },
  ];
}

function checkNestedLinks(email: ParsedEmail): RuleFinding[] {
  const { html, comments } = email;
  const controlFlow = new ControlFlowOffsets(email);
  const findings: RuleFinding[] = [];
  let open = -1;
  let next = 0;
  for (const { 1: slash, index } of html.matchAll(/<(\/?)a(?=[\s>])/gi)) {
    while ((comments[next]?.end ?? Infinity) <= index) next++;
    if ((comments[next]?.offset ?? Infinity) <= index) continue;
    if (slash === '/') {
      open = -1;
      continue;
    }
    const until = endOf(html, index);
    const hasHref = /\shref\s*=/i.test(html.slice(index, until));
    if (hasHref && open >= 0 && !controlFlow.anyBetween(open, index)) {
      findings.push({ rule: 'links_nested', message: 'A link starts inside another one.', at: index, until });
    }
    open = hasHref ? index : -1;
  }
  return findings;
}
