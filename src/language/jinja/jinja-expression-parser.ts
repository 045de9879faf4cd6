/**
 * Parses the tokens of a Jinja2 block to an expression, with Jinja2's precedence: filters and tests bind tightest, then
 * unary signs, products, `~`, sums, comparisons, `not`, `and`, `or`, `… if … else …`.
 *
 * Edge cases, all as in Jinja2: `-x|abs` filters `-x`; `a + b is defined` tests `b`; adjacent texts are one text.
 * Unlike in Jinja2, `if`, `and` and the other operators cannot be names of values.
 */
import { type JinjaCursor, JinjaSyntaxError, reservedWords } from './jinja-cursor.js';
import { MAX_POSTFIXES } from './jinja-limits.js';
import type { JinjaArgument, JinjaComparator, JinjaExpression, JinjaProductOperator } from './jinja-tree.js';

const comparators = new Set<string>(['==', '!=', '<', '>', '<=', '>=']);

/** Parses a whole expression; several separated by commas are a list. `inlineIf`: whether `a if b` is allowed here. */
export function parseExpressions(cursor: JinjaCursor, inlineIf = true): JinjaExpression {
  const parse = inlineIf ? parseExpression : parseOr;
  const first = parse(cursor);
  if (!cursor.at(',')) return first;
  const items = [first];
  while (cursor.accept(',')) {
    if (cursor.atEnd || cursor.at(')')) break;
    items.push(parse(cursor));
  }
  return { kind: 'list', items };
}

/** Parses one expression. */
export function parseExpression(cursor: JinjaCursor): JinjaExpression {
  return cursor.nested(() => {
    let chosen = parseOr(cursor);
    while (cursor.accept('if')) {
      const condition = parseOr(cursor);
      const otherwise = cursor.accept('else') ? parseExpression(cursor) : null;
      chosen = { kind: 'choice', condition, chosen, otherwise };
    }
    return chosen;
  });
}

function parseOr(cursor: JinjaCursor): JinjaExpression {
  return parseJunction(cursor, 'or', () => parseJunction(cursor, 'and', () => parseNot(cursor)));
}

function parseJunction(
  cursor: JinjaCursor,
  kind: 'and' | 'or',
  parse: () => JinjaExpression,
): JinjaExpression {
  const first = parse();
  if (!cursor.at(kind)) return first;
  const operands = [first];
  while (cursor.accept(kind)) operands.push(parse());
  return { kind, operands };
}

function parseNot(cursor: JinjaCursor): JinjaExpression {
  if (!cursor.accept('not')) return parseComparison(cursor);
  return { kind: 'not', operand: cursor.nested(() => parseNot(cursor)) };
}

function parseComparison(cursor: JinjaCursor): JinjaExpression {
  const first = parseSum(cursor);
  const rest: { operator: JinjaComparator; value: JinjaExpression }[] = [];
  for (;;) {
    const operator = acceptComparator(cursor);
    if (operator === null) break;
    rest.push({ operator, value: parseSum(cursor) });
  }
  return rest.length === 0 ? first : { kind: 'comparison', first, rest };
}

function acceptComparator(cursor: JinjaCursor): JinjaComparator | null {
  for (const operator of comparators) if (cursor.accept(operator)) return operator as JinjaComparator;
  if (cursor.accept('in')) return 'in';
  if (!cursor.at('not') || !cursor.at('in', 1)) return null;
  cursor.accept('not');
  cursor.accept('in');
  return 'not in';
}

function parseSum(cursor: JinjaCursor): JinjaExpression {
  const first = parseConcatenation(cursor);
  const rest: { operator: '+' | '-'; value: JinjaExpression }[] = [];
  for (;;) {
    const operator = cursor.accept('+') ? '+' : cursor.accept('-') ? '-' : null;
    if (operator === null) break;
    rest.push({ operator, value: parseConcatenation(cursor) });
  }
  return rest.length === 0 ? first : { kind: 'sum', first, rest };
}

function parseConcatenation(cursor: JinjaCursor): JinjaExpression {
  const parts = [parseProduct(cursor)];
  while (cursor.accept('~')) parts.push(parseProduct(cursor));
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: 'concatenation', parts };
}

function parseProduct(cursor: JinjaCursor): JinjaExpression {
  const first = parsePower(cursor);
  const rest: { operator: JinjaProductOperator; value: JinjaExpression }[] = [];
  for (;;) {
    const operator = (['*', '/', '//', '%'] as const).find((sign) => cursor.accept(sign));
    if (operator === undefined) break;
    rest.push({ operator, value: parsePower(cursor) });
  }
  return rest.length === 0 ? first : { kind: 'product', first, rest };
}

function parsePower(cursor: JinjaCursor): JinjaExpression {
  const base = parseUnary(cursor, true);
  if (!cursor.at('**')) return base;
  while (cursor.accept('**')) parseUnary(cursor, true);
  return { kind: 'foreign', what: 'The power “**”' };
}

function parseUnary(cursor: JinjaCursor, withFilters: boolean): JinjaExpression {
  let value: JinjaExpression;
  if (cursor.accept('-')) value = negative(cursor.nested(() => parseUnary(cursor, false)));
  else if (cursor.accept('+')) value = cursor.nested(() => parseUnary(cursor, false));
  else value = parsePrimary(cursor);
  return parsePostfixes(cursor, value, withFilters);
}

function negative(operand: JinjaExpression): JinjaExpression {
  if (operand.kind !== 'number') return { kind: 'negative', operand };
  const { digits } = operand;
  return { kind: 'number', digits: digits.startsWith('-') ? digits.slice(1) : `-${digits}` };
}

function parsePrimary(cursor: JinjaCursor): JinjaExpression {
  const digits = cursor.acceptKind('number');
  if (digits !== null) return { kind: 'number', digits };
  if (cursor.atKind('text')) {
    let text = '';
    for (let part = cursor.acceptKind('text'); part !== null; part = cursor.acceptKind('text')) text += part;
    return { kind: 'text', text };
  }
  if (cursor.accept('(')) return cursor.nested(() => parseParenthesised(cursor));
  if (cursor.accept('[')) return { kind: 'list', items: cursor.nested(() => parseItems(cursor, ']')) };
  if (cursor.accept('{')) return cursor.nested(() => parseDictionary(cursor));
  const name = cursor.expectName('A value');
  if (name === 'true' || name === 'True') return { kind: 'boolean', value: true };
  if (name === 'false' || name === 'False') return { kind: 'boolean', value: false };
  return name === 'none' || name === 'None' ? { kind: 'none' } : { kind: 'name', name };
}

function parseParenthesised(cursor: JinjaCursor): JinjaExpression {
  if (cursor.accept(')')) return { kind: 'list', items: [] };
  const value = parseExpressions(cursor);
  cursor.expect(')');
  return value;
}

function parseItems(cursor: JinjaCursor, end: string): JinjaExpression[] {
  const items: JinjaExpression[] = [];
  while (!cursor.accept(end)) {
    if (items.length > 0) cursor.expect(',');
    if (cursor.accept(end)) break;
    items.push(parseExpression(cursor));
  }
  return items;
}

function parseDictionary(cursor: JinjaCursor): JinjaExpression {
  for (let isFirst = true; !cursor.accept('}'); isFirst = false) {
    if (!isFirst) cursor.expect(',');
    if (cursor.accept('}')) break;
    parseExpression(cursor);
    cursor.expect(':');
    parseExpression(cursor);
  }
  return { kind: 'foreign', what: 'A dictionary' };
}

/** Parses attributes, subscripts and calls, then filters and tests. */
function parsePostfixes(cursor: JinjaCursor, first: JinjaExpression, withFilters: boolean): JinjaExpression {
  let value = first;
  for (let count = 0; ; count++) {
    if (count > MAX_POSTFIXES) throw new JinjaSyntaxError('This Jinja2 is nested too deeply.');
    if (cursor.accept('.')) value = { kind: 'item', target: value, key: parseAttribute(cursor) };
    else if (cursor.accept('[')) value = parseSubscript(cursor, value);
    else if (cursor.accept('(')) value = { kind: 'call', target: value, args: parseArguments(cursor) };
    else if (withFilters && cursor.accept('|')) value = parseFilter(cursor, value);
    else if (withFilters && cursor.accept('is')) value = parseTest(cursor, value);
    else return value;
  }
}

function parseAttribute(cursor: JinjaCursor): JinjaExpression {
  const digits = cursor.acceptKind('number');
  if (digits !== null) return { kind: 'number', digits };
  const name = cursor.acceptKind('name');
  return name === null ? cursor.fail('The name of an attribute was expected') : { kind: 'text', text: name };
}

function parseSubscript(cursor: JinjaCursor, target: JinjaExpression): JinjaExpression {
  return cursor.nested(() => {
    let key: JinjaExpression | null = null;
    let isSlice = false;
    while (!cursor.accept(']')) {
      if (cursor.accept(':') || cursor.accept(',')) isSlice = true;
      else if (key === null || isSlice) key = parseExpression(cursor);
      else cursor.fail('“]” was expected');
    }
    if (isSlice) return { kind: 'foreign', what: 'A slice' };
    return key === null ? cursor.fail('A subscript was expected') : { kind: 'item', target, key };
  });
}

function parseArguments(cursor: JinjaCursor): JinjaArgument[] {
  return cursor.nested(() => {
    const args: JinjaArgument[] = [];
    while (!cursor.accept(')')) {
      if (args.length > 0) cursor.expect(',');
      if (cursor.accept(')')) break;
      const stars = cursor.accept('*') || cursor.accept('**');
      const name = !stars && cursor.at('=', 1) ? cursor.expectName('The name of an argument') : null;
      if (name !== null) cursor.expect('=');
      const value = parseExpression(cursor);
      args.push({ name, value: stars ? { kind: 'foreign', what: 'An unpacked argument' } : value });
    }
    return args;
  });
}

function parseDottedName(cursor: JinjaCursor, what: string): string {
  let name = cursor.acceptKind('name') ?? cursor.fail(`${what} was expected`);
  while (cursor.accept('.')) name += `.${cursor.expectName(what)}`;
  return name;
}

function parseFilter(cursor: JinjaCursor, target: JinjaExpression): JinjaExpression {
  const name = parseDottedName(cursor, 'The name of a filter');
  return { kind: 'filter', target, name, args: cursor.accept('(') ? parseArguments(cursor) : [] };
}

function parseTest(cursor: JinjaCursor, target: JinjaExpression): JinjaExpression {
  const negated = cursor.accept('not');
  const name = parseDottedName(cursor, 'The name of a test');
  let args: JinjaArgument[] = [];
  if (cursor.accept('(')) {
    args = parseArguments(cursor);
  } else if (startsArgument(cursor)) {
    args = [{ name: null, value: cursor.nested(() => parsePostfixes(cursor, parsePrimary(cursor), false)) }];
  }
  return { kind: 'test', target, name, args, negated };
}

/** Whether the argument of a test follows without parentheses: `is divisibleby 3`. */
function startsArgument(cursor: JinjaCursor): boolean {
  if (cursor.atKind('number') || cursor.atKind('text') || cursor.at('[') || cursor.at('{')) return true;
  return cursor.atKind('name') && ![...reservedWords].some((word) => cursor.at(word));
}
