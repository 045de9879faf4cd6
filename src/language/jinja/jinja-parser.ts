/**
 * Parses the Jinja2 of a source into statements (specification section 4.3), flat and in the order of the source, with
 * related tags in one group: each tag becomes one piece of NLT at its position, so that a template may mix both
 * languages.
 *
 * Edge cases:
 * - Invalid Jinja2 (an expression that does not parse, an `endfor` without `for`) is an error. Valid Jinja2 that this
 *   parser does not support (`set`, `include`, `macro` …) is a foreign tag, whose names are hidden from conversion.
 * - `{% else %}` belongs to the innermost open `if` or `for`; `{% endif %}` closes the innermost `if` and reports the
 *   loops left open inside it. A head that does not parse still opens its group: its end is not a second error.
 * - Parsing stops at MAX_ERRORS errors and at MAX_JINJA_BLOCKS blocks. Groups nested deeper than MAX_DEPTH are errors.
 */
import { MAX_DEPTH, MAX_ERRORS } from '../nlt/limits.js';
import type { TemplateLanguage } from '../template-language.js';
import { JinjaCursor, JinjaSyntaxError } from './jinja-cursor.js';
import { parseExpressions } from './jinja-expression-parser.js';
import { MAX_JINJA_BLOCKS } from './jinja-limits.js';
import { type ScannedBlock, Scanner } from './jinja-scanner.js';
import type { JinjaToken } from './jinja-tokenizer.js';
import type { JinjaExpression } from './jinja-tree.js';

/** An `if` with its `elif`s and `else`, or a `for`. `isComplete`: all of its tags parsed, and its end exists. */
export interface JinjaGroup {
  readonly kind: 'if' | 'for';
  readonly tags: GroupTag[];
  isComplete: boolean;
}

/** A position in the source with its white-space control. */
interface BlockSpan {
  readonly start: number;
  readonly end: number;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
}

type GroupMember = BlockSpan & { readonly group: JinjaGroup };

export type GroupTag =
  | (GroupMember & { readonly kind: 'if'; readonly condition: JinjaExpression | null })
  | (GroupMember & { readonly kind: 'elif'; readonly condition: JinjaExpression | null })
  | (GroupMember & { readonly kind: 'for'; readonly head: LoopHead | null })
  | (GroupMember & { readonly kind: 'else' })
  | (GroupMember & { readonly kind: 'end' });

/** `for variables in list if condition`; `recursive` is parsed but has no effect. */
export interface LoopHead {
  readonly variables: readonly string[];
  readonly list: JinjaExpression;
  readonly condition: JinjaExpression | null;
  readonly recursive: boolean;
}

export type JinjaStatement =
  | GroupTag
  | (BlockSpan & { readonly kind: 'output'; readonly value: JinjaExpression })
  | (BlockSpan & { readonly kind: 'comment' })
  | (BlockSpan & { readonly kind: 'raw'; readonly text: string })
  | (BlockSpan & { readonly kind: 'foreign'; readonly name: string })
  /** Already reported as an error. */
  | (BlockSpan & { readonly kind: 'broken' });

/** `start` and `end` of the whole block. */
export interface JinjaError {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface JinjaSource {
  readonly statements: readonly JinjaStatement[];
  readonly errors: readonly JinjaError[];
  /** Names that the template itself assigns, with `set`, `macro`, `import` and similar tags. */
  readonly assignedNames: ReadonlySet<string>;
}

/** Parses `source`; time is linear in its length. `language` is the template's pin. */
export function parseJinja(source: string, language: TemplateLanguage | null): JinjaSource {
  return new JinjaParser().parse(new Scanner(source, language));
}

class JinjaParser {
  private readonly statements: JinjaStatement[] = [];
  private readonly errors: JinjaError[] = [];
  private readonly assignedNames = new Set<string>();
  private readonly open: JinjaGroup[] = [];
  private readonly openCount = { if: 0, for: 0 };

  parse(scanner: Scanner): JinjaSource {
    for (const block of scanner.blocks()) {
      if (block.kind === 'nlt') continue;
      if (this.statements.length === MAX_JINJA_BLOCKS) {
        const message = `The template has more than ${MAX_JINJA_BLOCKS} Jinja2 blocks.`;
        this.errors.push({ message, start: block.start, end: block.end });
        break;
      }
      this.statements.push(this.read(block));
      if (this.errors.length >= MAX_ERRORS) break;
    }
    for (let group = this.close(); group !== undefined; group = this.close()) this.reportUnclosed(group);
    this.errors.sort((a, b) => a.start - b.start);
    const { statements, errors, assignedNames } = this;
    return { statements, errors, assignedNames };
  }

  private read(block: Exclude<ScannedBlock, { kind: 'nlt' }>): JinjaStatement {
    if (block.kind === 'broken') return this.reportBroken(block, block.tokens, block.message);
    if (block.kind !== 'output' && block.kind !== 'tag') return block;
    try {
      const cursor = new JinjaCursor(block.tokens);
      if (block.kind === 'tag') return this.readTag(block, block.tokens, cursor);
      const value = parseExpressions(cursor);
      cursor.expectEnd();
      return { ...spanOf(block), kind: 'output', value };
    } catch (error) {
      if (!(error instanceof JinjaSyntaxError)) throw error;
      return this.reportBroken(block, block.kind === 'tag' ? block.tokens : [], error.message);
    }
  }

  private readTag(block: BlockSpan, tokens: readonly JinjaToken[], cursor: JinjaCursor): JinjaStatement {
    const span = spanOf(block);
    const name = cursor.acceptKind('name') ?? cursor.fail('The name of a tag was expected');
    switch (name) {
      case 'if': {
        const condition = readCondition(cursor);
        return this.push('if', (group) => ({ ...span, kind: 'if', condition, group }));
      }
      case 'for': {
        const head = readLoopHead(cursor);
        return this.push('for', (group) => ({ ...span, kind: 'for', head, group }));
      }
      case 'elif':
      case 'else':
        return this.readElse(span, name, cursor);
      case 'endif':
      case 'endfor':
        cursor.expectEnd();
        return this.readEnd(span, name);
      case 'endraw':
        throw new JinjaSyntaxError('{% endraw %} has nothing to close.');
      default:
        for (const assigned of namesAssignedBy(name, tokens.slice(1))) this.assignedNames.add(assigned);
        return { ...span, kind: 'foreign', name };
    }
  }

  private readElse(span: BlockSpan, kind: 'elif' | 'else', cursor: JinjaCursor): JinjaStatement {
    const condition = kind === 'elif' ? readCondition(cursor) : null;
    cursor.expectEnd();
    const group = this.open.at(-1);
    if (group === undefined || (kind === 'elif' && group.kind === 'for')) {
      throw new JinjaSyntaxError(`{% ${kind} %} is outside a condition.`);
    }
    if (group.tags.at(-1)?.kind === 'else') {
      throw new JinjaSyntaxError(`{% ${kind} %} follows an {% else %} of the same ${group.kind}.`);
    }
    const tag: GroupTag = kind === 'elif' ? { ...span, kind, condition, group } : { ...span, kind, group };
    group.tags.push(tag);
    return tag;
  }

  private readEnd(span: BlockSpan, name: 'endif' | 'endfor'): JinjaStatement {
    const kind = name === 'endif' ? 'if' : 'for';
    if (this.openCount[kind] === 0) throw new JinjaSyntaxError(`{% ${name} %} has nothing to close.`);
    let group = this.close() as JinjaGroup;
    for (; group.kind !== kind; group = this.close() as JinjaGroup) this.reportUnclosed(group);
    const tag: GroupTag = { ...span, kind: 'end', group };
    group.tags.push(tag);
    return tag;
  }

  private push(kind: 'if' | 'for', makeTag: (group: JinjaGroup) => GroupTag): GroupTag {
    const group: JinjaGroup = { kind, tags: [], isComplete: this.open.length < MAX_DEPTH };
    const tag = makeTag(group);
    if (this.open.length === MAX_DEPTH) {
      this.report(`Conditions and loops are nested deeper than ${MAX_DEPTH}.`, tag.start, tag.end);
    }
    group.tags.push(tag);
    this.open.push(group);
    this.openCount[kind]++;
    return tag;
  }

  private close(): JinjaGroup | undefined {
    const group = this.open.pop();
    if (group !== undefined) this.openCount[group.kind]--;
    return group;
  }

  private reportUnclosed(group: JinjaGroup): void {
    const [head] = group.tags;
    // A group whose head was already reported, or that is nested too deep, causes no second error.
    if (group.isComplete && head !== undefined) {
      this.report(
        `{% ${group.kind} %} is not closed: {% end${group.kind} %} is missing.`,
        head.start,
        head.end,
      );
    }
    group.isComplete = false;
  }

  /** Reports a block that does not parse, but still opens its group. */
  private reportBroken(span: BlockSpan, tokens: readonly JinjaToken[], message: string): JinjaStatement {
    this.report(message, span.start, span.end);
    const name = tokens[0]?.text;
    if (name === 'if' || name === 'for') {
      const broken = spanOf(span);
      const tag = this.push(name, (group) =>
        name === 'if'
          ? { ...broken, kind: 'if', condition: null, group }
          : { ...broken, kind: 'for', head: null, group },
      );
      tag.group.isComplete = false;
      return tag;
    }
    if (name === 'elif') for (const group of this.open.slice(-1)) group.isComplete = false;
    return { ...spanOf(span), kind: 'broken' };
  }

  private report(message: string, start: number, end: number): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ message, start, end });
  }
}

function spanOf({ start, end, trimBefore, trimAfter }: BlockSpan): BlockSpan {
  return { start, end, trimBefore, trimAfter };
}

function readCondition(cursor: JinjaCursor): JinjaExpression {
  const condition = parseExpressions(cursor, false);
  cursor.expectEnd();
  return condition;
}

function readLoopHead(cursor: JinjaCursor): LoopHead {
  const inBrackets = cursor.accept('(');
  const variables = [cursor.expectName('The name of a loop variable')];
  while (cursor.accept(',')) {
    if (cursor.at('in') || cursor.at(')')) break;
    variables.push(cursor.expectName('The name of a loop variable'));
  }
  if (inBrackets) cursor.expect(')');
  cursor.expect('in');
  const list = parseExpressions(cursor, false);
  const condition = cursor.accept('if') ? parseExpressions(cursor, false) : null;
  const recursive = cursor.accept('recursive');
  cursor.expectEnd();
  return { variables, list, condition, recursive };
}

/** The names that a foreign tag assigns; may include names that it does not assign, but misses none. */
function namesAssignedBy(tag: string, tokens: readonly JinjaToken[]): string[] {
  const isName = (token: JinjaToken): boolean => token.kind === 'name';
  if (tag === 'set' || tag === 'with') {
    const equals = tokens.findIndex(({ text }) => text === '=');
    const assigned = tokens.filter((token, index) => {
      const isBefore = equals < 0 || index < equals || tokens[index + 1]?.text === '=';
      return isName(token) && isBefore;
    });
    return assigned.map(({ text }) => text);
  }
  if (!['macro', 'call', 'import', 'from'].includes(tag)) return [];
  return tokens.filter(isName).map(({ text }) => text);
}
