/**
 * Prints a tree as NLT in its canonical spelling; parsing the result gives the same tree. The conversion from Jinja2
 * (specification section 4.3: convert) builds trees and prints them here.
 *
 * Edge case: names that cannot be written as plain words (with keywords, signs or dots) are quoted, and bare words of a
 * condition become quoted.
 */
import { isPlainName } from './name-parser.js';
import type {
  Comparison,
  Condition,
  Modifier,
  PipedValue,
  Reference,
  Template,
  TemplateNode,
  Value,
} from './tree.js';

/** Prints the template as NLT. One with errors is returned as written. */
export function printTemplate(template: Template): string {
  return template.errors.length > 0 ? template.source : printNodes(template.nodes);
}

/** Prints nodes as NLT; their positions are ignored. */
export function printNodes(nodes: readonly TemplateNode[]): string {
  return nodes.map(printNode).join('');
}

function printNode(node: TemplateNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'output':
      return `{${printPipedValue(node.value)}}`;
    case 'for': {
      const head = `{for each ${printName(node.variable)} in ${printPipedValue(node.list)}}`;
      return `${head}${printNodes(node.body)}{end for}`;
    }
    case 'if': {
      const branches = node.branches.map(({ condition, body }, index) => {
        return `{${index === 0 ? 'if' : 'else if'} ${printCondition(condition)}}${printNodes(body)}`;
      });
      const otherwise = node.otherwise === null ? '' : `{else}${printNodes(node.otherwise)}`;
      return `${branches.join('')}${otherwise}{end if}`;
    }
  }
}

/** Prints a value with its modifiers as NLT, without braces. */
export function printPipedValue({ value, modifiers }: PipedValue): string {
  return [printValue(value), ...modifiers.map(printModifier)].join(', ');
}

function printValue(value: Value): string {
  switch (value.kind) {
    case 'sum':
    case 'product': {
      const rest = value.rest.map((part) => ` ${part.operator} ${printValue(part.value)}`);
      return printValue(value.first) + rest.join('');
    }
    case 'reference':
      return printReference(value);
    case 'text':
      return quote(value.text);
    case 'number':
      return value.digits;
    case 'boolean':
      return String(value.value);
    case 'moment':
      return value.name;
  }
}

function printReference({ source, event, path }: Reference): string {
  const [first = '', ...rest] = path;
  const looksLikeContact = source === 'short' && rest.length > 0 && first.toLowerCase() === 'user';
  const names = [looksLikeContact ? quote(first) : printName(first), ...rest.map(printName)].join("'s ");
  if (source === 'contact') return `the user's ${names}`;
  if (source === 'trigger') return `the ${names} from the trigger event`;
  if (source === 'short' || event === null) return `the ${names}`;
  return `the ${names} from the ${event.toLowerCase() === 'trigger' ? quote(event) : printName(event)} event`;
}

function printName(name: string): string {
  return isPlainName(name) ? name : quote(name);
}

/** Quotes a text. Characters that the parser would decode or drop are written as entities. */
function quote(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
}

function printModifier(modifier: Modifier): string {
  switch (modifier.kind) {
    case 'or':
      return `${modifier.isFalsy === true ? 'otherwise' : 'or'} ${printValue(modifier.fallback)}`;
    case 'as':
      return `as ${quote(modifier.format)}`;
    case 'case':
      return modifier.letterCase;
    case 'replacing':
      return `replacing ${quote(modifier.search)} with ${quote(modifier.replacement)}`;
    case 'rounded': {
      const mode = modifier.mode === 'nearest' ? '' : ` ${modifier.mode}`;
      return `rounded${mode}${modifier.digits === 0 ? '' : ` to ${modifier.digits}`}`;
    }
    case 'joined':
      return `joined with ${quote(modifier.separator)}`;
    default:
      return modifier.kind;
  }
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'any':
      return condition.conditions.map(printAlternative).join(' or ');
    case 'all':
      return condition.conditions.map(printCondition).join(' and ');
    default:
      return `${condition.negated ? 'not ' : ''}${printComparison(condition)}`;
  }
}

/** A lone number after `is one of 1 or` would be parsed as another entry of that list; a sum is not. */
function printAlternative(condition: Condition, index: number, all: readonly Condition[]): string {
  const written = printCondition(condition);
  const before = all[index - 1];
  const last = before?.kind === 'all' ? before.conditions.at(-1) : before;
  return last?.kind === 'one of' ? written.replace(/^-?\d+(?:\.\d+)?(?=$|,| and )/, '$& plus 0') : written;
}

function printComparison(comparison: Comparison): string {
  const left = printPipedValue(comparison.left);
  switch (comparison.kind) {
    case 'unary':
      return comparison.operator === 'holds' ? left : `${left} ${comparison.operator}`;
    case 'binary':
      return `${left} ${comparison.operator} ${printPipedValue(comparison.right)}`;
    case 'one of':
      return `${left} is one of ${comparison.items.map(printValue).join(', ')}`;
  }
}
