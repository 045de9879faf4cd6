/**
 * Converts Liquid and Klaviyo templates, whose blocks are alike: `{{ … }}` outputs a value, `{% … %}` is a tag.
 *
 * Edge cases:
 * - A variable that is assigned outside of every condition and loop is replaced by its value. One that is assigned
 *   inside them, captured or counted cannot be replaced: its uses become placeholders.
 * - `-` at a brace trims the adjacent white space, also next to a placeholder.
 */
import type { BraceDialect } from './brace-dialect.js';
import { BraceGroups } from './brace-groups.js';
import { type BraceBlock, BraceScanner } from './brace-scanner.js';
import { Draft } from './draft.js';
import { parseFiltered } from './foreign-expressions.js';
import { MAX_FOREIGN_BLOCKS } from './foreign-limits.js';
import { ForeignScope } from './foreign-scope.js';
import type { ForeignField, ForeignText } from './foreign-source.js';
import { ForeignCursor } from './foreign-tokens.js';
import { ENDS, hiddenNames } from './hidden-names.js';
import { piecesOf, type Shown } from './shown-value.js';
import { Unfit, unfit } from './unfit.js';
import { ValueReader } from './value-reader.js';

/** Converts one text of a template; in linear time. Never throws. */
export function convertBraces(source: string, field: ForeignField, dialect: BraceDialect): ForeignText {
  return new BraceConverter(source, field, dialect).convert();
}

class BraceConverter {
  private readonly draft: Draft;
  private readonly scanner: BraceScanner;
  private readonly scope: ForeignScope;
  private readonly reader: ValueReader;
  private readonly groups: BraceGroups;
  /** Blocks and bracketed addresses so far. */
  private count = 0;
  private done = 0;
  private cutsNext = false;

  constructor(
    private readonly source: string,
    field: ForeignField,
    private readonly dialect: BraceDialect,
  ) {
    this.draft = new Draft(source, field);
    this.scanner = new BraceScanner(source, dialect.hasComments);
    this.scope = new ForeignScope(hiddenNames(source, dialect));
    this.reader = new ValueReader(dialect, this.scope);
    this.groups = new BraceGroups(this.draft, this.scope, this.reader, dialect);
  }

  convert(): ForeignText {
    for (let block = this.scanner.next(); block !== null; block = this.scanner.next()) {
      this.copyTo(block.start, block.trimBefore);
      this.cutsNext = false;
      this.done = block.start;
      if (this.isFull) break;
      this.done = block.end;
      if (!this.counts(block)) break;
      this.cutsNext = block.trimAfter;
      this.convertBlock(block);
    }
    this.copyTo(this.source.length, false);
    this.groups.abandonAll();
    return this.draft.finish();
  }

  private get isFull(): boolean {
    return this.count > MAX_FOREIGN_BLOCKS;
  }

  /** Counts one more block. The first one beyond the limit becomes a placeholder with a warning. */
  private counts({ start, end }: Pick<BraceBlock, 'start' | 'end'>): boolean {
    this.count++;
    if (!this.isFull) return true;
    const message = `Only the first ${MAX_FOREIGN_BLOCKS} blocks are converted.`;
    this.draft.refuse(start, end, 'beyond_bounds', message);
    return false;
  }

  private copyTo(end: number, cutsEnd: boolean): void {
    const text = this.source.slice(this.done, end);
    const start = this.cutsNext ? end - text.trimStart().length : this.done;
    const kept = cutsEnd ? start + this.source.slice(start, end).trimEnd().length : end;
    this.copyWithLinks(start, Math.max(start, kept));
  }

  /** Copies text; a bracketed address, which some platforms use for the unsubscribe link, is handled like a block. */
  private copyWithLinks(start: number, end: number): void {
    const { bracketLink } = this.dialect;
    const text = this.source.slice(start, end);
    let done = 0;
    for (
      let at = bracketLink === null ? -1 : text.indexOf(bracketLink);
      bracketLink !== null && at >= 0 && !this.isFull;
      at = text.indexOf(bracketLink, done)
    ) {
      this.draft.copy(start + done, start + at);
      done = at + bracketLink.length;
      if (!this.counts({ start: start + at, end: start + done })) break;
      const what = 'Waypost adds an unsubscribe and preferences link to the footer of promotional mail.';
      this.draft.leaveOut(start + at, start + done, 'given_by_footer', what);
    }
    this.draft.copy(start + done, end);
  }

  private convertBlock(block: BraceBlock): void {
    if (block.kind === 'comment') return;
    this.attempt(block, () => {
      if (block.kind === 'output') this.output(block, new ForeignCursor(block.inner));
      else this.tag(block);
    });
  }

  /** Runs `convert`; if it throws Unfit, the block becomes a placeholder or is left out. */
  private attempt({ start, end }: BraceBlock, convert: () => void): void {
    try {
      convert();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      const { code, message } = error;
      if (code === 'given_by_footer' || code === 'left_out') this.draft.leaveOut(start, end, code, message);
      else this.draft.refuse(start, end, code, message);
    }
  }

  private output(block: BraceBlock, cursor: ForeignCursor): void {
    if (cursor.atEnd) return;
    const shown = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    cursor.expectEnd();
    this.draft.put(block.start, block.end, piecesOf(shown));
    this.tellNotes(block, shown);
  }

  private tellNotes({ start, end }: BraceBlock, { notes }: Shown): void {
    for (const note of notes) this.draft.warn(start, end, 'approximated', note);
  }

  private tag(block: BraceBlock): void {
    const [written, name = ''] = /^\s*(\w*)/.exec(block.inner) ?? [''];
    const cursor = new ForeignCursor(block.inner.slice(written.length));
    if (name === 'comment' || this.dialect.rawTags.has(name)) return this.unread(block, name);
    switch (name) {
      case 'if':
      case 'unless':
        return this.groups.openCondition(block, name, cursor);
      case 'case':
        return this.groups.openCase(block, cursor);
      case 'for':
        return this.groups.openLoop(block, cursor);
      case 'elsif':
      case 'elif':
      case 'when':
      case 'else':
      case 'empty':
        return this.groups.branch(block, name, cursor);
      case 'echo':
        return this.output(block, cursor);
      case 'assign':
        return this.assign(block, cursor);
      default: {
        const closes = ENDS.get(name);
        if (closes !== undefined) this.groups.end(block, closes);
        else this.draft.put(block.start, block.end, this.dialect.show(name));
      }
    }
  }

  /** Skips a comment, which is dropped, or a text that is not parsed. */
  private unread(block: BraceBlock, name: string): void {
    const end = this.scanner.skipTo(`end${name}`);
    if (end === null) unfit(`Its “end${name}” is missing.`, 'unreadable');
    else {
      if (name !== 'comment') this.draft.copy(block.end, end.start);
      this.done = end.end;
      this.cutsNext = false;
    }
  }

  private assign(block: BraceBlock, cursor: ForeignCursor): void {
    const name = cursor.takeKind('name') ?? cursor.fail();
    cursor.expect('=');
    const shown = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    cursor.expectEnd();
    piecesOf(shown);
    this.scope.give(name, shown);
    this.tellNotes(block, shown);
  }
}
