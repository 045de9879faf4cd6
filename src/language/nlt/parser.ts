/**
 * Parses a template into a tree (specification section 2.7: validation_errors; section 4.3: validate). Never throws: an
 * expression that does not parse becomes an error with its position, and its source stays as text in the tree.
 *
 * Edge cases:
 * - `{else}` and `{else if}` belong to the innermost open `if`; `{end if}` closes the innermost `if` and reports the
 *   loops left open inside it, so that one mistake gives one error.
 * - A condition or loop head that does not parse still opens its block: its `{end if}` is not a second error.
 * - `{end for each}` is `{end for}`. White space and line breaks around blocks are kept.
 * - A loop variable must not be called `user`, since `the user's` is always the contact.
 */
import { parseCondition } from './condition-parser.js';
import { MAX_BLOCK_LENGTH, MAX_BLOCKS, MAX_DEPTH, MAX_ERRORS } from './limits.js';
import { parseName } from './name-parser.js';
import { SourceLines } from './source-lines.js';
import { NltSyntaxError, TokenCursor } from './token-cursor.js';
import { type Token, Tokenizer } from './tokenizer.js';
import type { Condition, IfBranch, Template, TemplateError, TemplateNode } from './tree.js';
import { parsePipedValue } from './value-parser.js';

/** An open block. `valid` is false if its head did not parse or it is nested too deep. */
interface OpenBlock {
  readonly kind: 'if' | 'for';
  readonly start: number;
  readonly end: number;
  readonly valid: boolean;
  readonly branches: IfBranch[];
  condition: Condition | null;
  branchStart: number;
  branchEnd: number;
  otherwise: boolean;
  body: TemplateNode[];
  readonly variable: string;
  readonly list: ReturnType<typeof parsePipedValue> | null;
}

/** Parses `source`. Time is linear in its length; the result is plain data. */
export function parseTemplate(source: string): Template {
  return new TemplateParser(source).parse();
}

class TemplateParser {
  private readonly lines: SourceLines;
  private readonly tokenizer: Tokenizer;
  private readonly root: TemplateNode[] = [];
  private readonly open: OpenBlock[] = [];
  private readonly openCount = { if: 0, for: 0 };
  private readonly errors: TemplateError[] = [];
  private blockCount = 0;
  private textStart = 0;

  constructor(private readonly source: string) {
    this.lines = new SourceLines(source);
    this.tokenizer = new Tokenizer(source);
  }

  parse(): Template {
    let offset = this.source.indexOf('{');
    while (offset >= 0 && this.errors.length < MAX_ERRORS) {
      offset = this.source.indexOf('{', this.readBrace(offset));
    }
    this.flushText(this.source.length);
    while (this.open.length > 0) {
      this.reportUnclosed(this.close());
    }
    this.errors.sort((a, b) => a.position.offset - b.position.offset);
    const { source, errors, blockCount } = this;
    return { source, nodes: this.root, errors, blockCount };
  }

  /** Parses the block at the brace at `offset` and returns where to search for the next one. */
  private readBrace(offset: number): number {
    if (this.source[offset + 1] === '{') {
      let end = offset + 2;
      while (this.source[end] === '{') end++;
      return end;
    }
    const reading = this.tokenizer.readBlock(offset);
    if (reading.kind === 'text') return reading.end;
    if (this.blockCount === MAX_BLOCKS) {
      this.report(`The template has more than ${MAX_BLOCKS} expressions.`, offset, offset, reading.end);
      return this.source.length;
    }
    this.blockCount++;
    if (reading.kind === 'broken') {
      this.report(reading.message, offset, offset, reading.end);
      this.openBroken(reading.tokens, offset, reading.end);
      return reading.end;
    }
    try {
      this.readStatement(reading.tokens, offset, reading.end);
    } catch (error) {
      if (!(error instanceof NltSyntaxError)) throw error;
      this.report(error.message, error.offset, offset, reading.end);
      this.openBroken(reading.tokens, offset, reading.end);
    }
    return reading.end;
  }

  private readStatement(tokens: readonly Token[], start: number, end: number): void {
    const cursor = new TokenCursor(tokens, end - 1);
    if (cursor.accept('if')) {
      const condition = parseCondition(cursor);
      cursor.expectEnd();
      this.openBlock('if', start, end, { condition });
    } else if (cursor.accept('for', 'each')) {
      this.readLoopHead(cursor, start, end);
    } else if (cursor.accept('else')) {
      this.readElse(cursor, start, end);
    } else if (cursor.accept('end')) {
      this.readEnd(cursor, start, end);
    } else {
      const value = parsePipedValue(cursor, 'output');
      cursor.expectEnd();
      this.flushText(start);
      this.body().push({ kind: 'output', value, position: this.lines.positionOf(start), end });
      this.textStart = end;
    }
  }

  private readLoopHead(cursor: TokenCursor, start: number, end: number): void {
    const offset = cursor.offset;
    if (cursor.at(['the']) && !cursor.at(['in'], 1))
      cursor.fail('A loop variable must be written without “the”.');
    const variable = parseName(cursor, 'loop variable', 'the loop variable');
    if (variable.toLowerCase() === 'user') cursor.fail('A loop variable must not be called “user”.', offset);
    if (!cursor.accept('in')) cursor.fail('After the loop variable, the word “in” was expected.');
    const list = parsePipedValue(cursor, 'output');
    cursor.expectEnd();
    this.openBlock('for', start, end, { variable, list });
  }

  private readElse(cursor: TokenCursor, start: number, end: number): void {
    const condition = cursor.accept('if') ? parseCondition(cursor) : null;
    cursor.expectEnd();
    const block = this.open.at(-1);
    const name = condition === null ? '{else}' : '{else if}';
    if (block?.kind !== 'if') cursor.fail(`${name} is outside a condition.`, start);
    if (block.otherwise) cursor.fail(`${name} follows an {else} of the same condition.`, start);
    this.flushText(start);
    this.finishBranch(block);
    block.condition = condition;
    block.otherwise = condition === null;
    block.branchStart = start;
    block.branchEnd = end;
    block.body = [];
    this.textStart = end;
  }

  private readEnd(cursor: TokenCursor, start: number, end: number): void {
    const kind = cursor.accept('if') ? 'if' : 'for';
    if (kind === 'for') {
      cursor.advance();
      cursor.accept('each');
    }
    cursor.expectEnd();
    if (this.openCount[kind] === 0) cursor.fail(`{end ${kind}} has nothing to close.`, start);
    this.flushText(start);
    for (let block = this.close(); block.kind !== kind; block = this.close()) this.reportUnclosed(block);
    this.textStart = end;
  }

  private openBlock(
    kind: 'if' | 'for',
    start: number,
    end: number,
    head: { condition?: Condition; variable?: string; list?: OpenBlock['list']; valid?: boolean },
  ): void {
    if (this.open.length === MAX_DEPTH) {
      this.report(`Conditions and loops are nested deeper than ${MAX_DEPTH}.`, start, start, end);
    }
    this.flushText(start);
    this.open.push({
      kind,
      start,
      end,
      valid: (head.valid ?? true) && this.open.length < MAX_DEPTH,
      branches: [],
      condition: head.condition ?? null,
      branchStart: start,
      branchEnd: end,
      otherwise: false,
      body: [],
      variable: head.variable ?? '',
      list: head.list ?? null,
    });
    this.openCount[kind]++;
    this.textStart = end;
  }

  /** Opens a block whose head did not parse, so that its end tag is not an error too. */
  private openBroken(tokens: readonly Token[], start: number, end: number): void {
    const first = tokens[0]?.lower;
    if (first === 'if') this.openBlock('if', start, end, { valid: false });
    else if (first === 'for') this.openBlock('for', start, end, { valid: false });
  }

  /** Pops the innermost block off the stack and adds its node to the enclosing block. */
  private close(): OpenBlock {
    const block = this.open.pop() as OpenBlock;
    this.openCount[block.kind]--;
    const last = block.body;
    if (block.kind === 'if') this.finishBranch(block);
    if (!block.valid) return block;
    const position = this.lines.positionOf(block.start);
    if (block.kind === 'if') {
      const otherwise = block.otherwise ? last : null;
      this.body().push({ kind: 'if', branches: block.branches, otherwise, position });
    } else if (block.list !== null) {
      const { variable, list, end } = block;
      this.body().push({ kind: 'for', variable, list, body: last, position, end });
    }
    return block;
  }

  private finishBranch(block: OpenBlock): void {
    if (block.condition === null) return;
    block.branches.push({
      condition: block.condition,
      body: block.body,
      position: this.lines.positionOf(block.branchStart),
      end: block.branchEnd,
    });
    block.condition = null;
  }

  private body(): TemplateNode[] {
    return this.open.at(-1)?.body ?? this.root;
  }

  private flushText(end: number): void {
    if (end > this.textStart) {
      const text = this.source.slice(this.textStart, end);
      this.body().push({ kind: 'text', text, position: this.lines.positionOf(this.textStart) });
    }
    this.textStart = end;
  }

  private reportUnclosed(block: OpenBlock): void {
    if (!block.valid) return; // Its head has been reported already.
    const opening = block.kind === 'if' ? '{if …}' : '{for each …}';
    this.report(
      `${opening} is not closed: {end ${block.kind}} is missing.`,
      block.start,
      block.start,
      block.end,
    );
  }

  private report(message: string, offset: number, start: number, end: number): void {
    if (this.errors.length >= MAX_ERRORS) return;
    const blockText = this.source.slice(start, Math.min(end, start + MAX_BLOCK_LENGTH));
    this.errors.push({ message, position: this.lines.positionOf(offset), blockText });
  }
}
