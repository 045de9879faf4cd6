/**
 * Prints a Jinja2 tree as text (specification section 4.3: convert); parsing the result gives the same tree.
 *
 * Edge cases:
 * - `a.b` first reads the attribute of a Python object: a key that is also a dictionary method (`event["items"]`) or
 *   not a plain name is written in brackets.
 * - A test takes the next word as its argument (`x is defined if y`), so it is parenthesized nearly everywhere.
 */
import type { JinjaArgument, JinjaExpression, JinjaNode } from './jinja-tree.js';

/** How tightly an expression binds; an operand that binds less than its position requires is parenthesized. */
const PRECEDENCE: Readonly<Record<JinjaExpression['kind'], number>> = {
  choice: 0,
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  test: 4,
  sum: 5,
  concatenation: 6,
  product: 7,
  negative: 8,
  filter: 8,
  number: 8,
  item: 9,
  call: 9,
  name: 10,
  text: 10,
  boolean: 10,
  none: 10,
  list: 10,
  foreign: 10,
};

const DICTIONARY_METHODS = new Set([
  'clear',
  'copy',
  'fromkeys',
  'get',
  'items',
  'keys',
  'pop',
  'popitem',
  'setdefault',
  'update',
  'values',
]);

/** Prints nodes as Jinja2. Texts are written unchanged: text that resembles Jinja2 belongs in raw nodes. */
export function printJinja(nodes: readonly JinjaNode[]): string {
  return nodes.map(printNode).join('');
}

function printNode(node: JinjaNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'output':
      return `{{ ${printJinjaExpression(node.value)} }}`;
    case 'comment':
      return `{#${node.text}#}`;
    case 'raw':
      return `{% raw %}${node.text}{% endraw %}`;
    case 'for': {
      const head = `{% for ${node.variable} in ${printJinjaExpression(node.list, PRECEDENCE.or)} %}`;
      return `${head}${printJinja(node.body)}{% endfor %}`;
    }
    case 'if': {
      const branches = node.branches.map(({ condition, body }, index) => {
        const word = index === 0 ? 'if' : 'elif';
        return `{% ${word} ${printJinjaExpression(condition, PRECEDENCE.or)} %}${printJinja(body)}`;
      });
      const otherwise = node.otherwise === null ? '' : `{% else %}${printJinja(node.otherwise)}`;
      return `${branches.join('')}${otherwise}{% endif %}`;
    }
  }
}

/**
 * Prints an expression without braces.
 * @param precedence parenthesized if it binds less than this (see BINDING).
 */
export function printJinjaExpression(expression: JinjaExpression, precedence = 0): string {
  const text = printBare(expression);
  return PRECEDENCE[expression.kind] < precedence ? `(${text})` : text;
}

function printBare(expression: JinjaExpression): string {
  const print = printJinjaExpression;
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'text':
      return quoted(expression.text);
    case 'number':
      return expression.digits;
    case 'boolean':
      return String(expression.value);
    case 'none':
      return 'none';
    case 'list':
      return `[${expression.items.map((item) => print(item)).join(', ')}]`;
    case 'item':
      return print(expression.target, PRECEDENCE.item) + printKey(expression.key);
    case 'call':
      return `${print(expression.target, PRECEDENCE.item)}(${printArguments(expression.args)})`;
    case 'filter': {
      const args = expression.args.length === 0 ? '' : `(${printArguments(expression.args)})`;
      return `${print(expression.target, PRECEDENCE.filter)} | ${expression.name}${args}`;
    }
    case 'test': {
      const args = expression.args.length === 0 ? '' : `(${printArguments(expression.args)})`;
      return `${print(expression.target, PRECEDENCE.filter)} is ${expression.negated ? 'not ' : ''}${expression.name}${args}`;
    }
    case 'sum':
      return chain(expression, PRECEDENCE.sum + 1);
    case 'product':
      return chain(expression, PRECEDENCE.product + 1);
    case 'comparison':
      return chain(expression, PRECEDENCE.comparison + 1);
    case 'negative':
      return `-${print(expression.operand, expression.operand.kind === 'number' ? PRECEDENCE.number : PRECEDENCE.item)}`;
    case 'concatenation':
      return expression.parts.map((part) => print(part, PRECEDENCE.concatenation + 1)).join(' ~ ');
    case 'and':
    case 'or': {
      const operands = expression.operands.map((operand) => print(operand, PRECEDENCE[expression.kind] + 1));
      return operands.join(` ${expression.kind} `);
    }
    case 'not':
      return `not ${print(expression.operand, PRECEDENCE.not)}`;
    case 'choice': {
      const otherwise = expression.otherwise === null ? '' : ` else ${print(expression.otherwise)}`;
      return `${print(expression.chosen, PRECEDENCE.sum)} if ${print(expression.condition, PRECEDENCE.or)}${otherwise}`;
    }
    case 'foreign':
      throw new TypeError(`Jinja2 that was only recognized (${expression.what}) cannot be written.`);
  }
}

function chain(
  {
    first,
    rest,
  }: {
    readonly first: JinjaExpression;
    readonly rest: readonly { readonly operator: string; readonly value: JinjaExpression }[];
  },
  precedence: number,
): string {
  // A filter binds tighter than arithmetic, which few readers know, so a filter is parenthesized as an operand.
  const operand = (value: JinjaExpression): string =>
    printJinjaExpression(
      value,
      value.kind === 'filter' && precedence > PRECEDENCE.sum ? PRECEDENCE.item : precedence,
    );
  return operand(first) + rest.map(({ operator, value }) => ` ${operator} ${operand(value)}`).join('');
}

function printArguments(args: readonly JinjaArgument[]): string {
  return args
    .map(({ name, value }) => (name === null ? '' : `${name}=`) + printJinjaExpression(value))
    .join(', ');
}

function printKey(key: JinjaExpression): string {
  return key.kind === 'text' && isAttribute(key.text) ? `.${key.text}` : `[${printJinjaExpression(key)}]`;
}

function isAttribute(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('__') && !DICTIONARY_METHODS.has(name);
}

/** Quotes a text: with double quotes, or with single quotes if that avoids escapes. */
function quoted(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll(quote, `\\${quote}`);
  return quote + escaped + quote;
}
