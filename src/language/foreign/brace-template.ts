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
import { CLOSING_TAGS, hiddenNames } from './hidden-names.js';
import { piecesOf, type ShownValue } from './shown-value.js';
import { UnsupportedError, unsupported } from './unsupported.js';
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
  private copiedUntil = 0;
  private trimsNext = false;

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
      this.trimsNext = false;
      this.copiedUntil = block.start;
      if (this.isFull) break;
      this.copiedUntil = block.end;
      if (!this.countBlock(block)) break;
      this.trimsNext = block.trimAfter;
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
  private countBlock({ start, end }: Pick<BraceBlock, 'start' | 'end'>): boolean {
    this.count++;
    if (!this.isFull) return true;
    const message = `Only the first ${MAX_FOREIGN_BLOCKS} blocks are converted.`;
    this.draft.addPlaceholder(start, end, 'beyond_bounds', message);
    return false;
  }

  private copyTo(end: number, trimsEnd: boolean): void {
    const text = this.source.slice(this.copiedUntil, end);
    const start = this.trimsNext ? end - text.trimStart().length : this.copiedUntil;
    const textEnd = trimsEnd ? start + this.source.slice(start, end).trimEnd().length : end;
    this.copyWithLinks(start, Math.max(start, textEnd));
  }

  /** Copies text; a bracketed address, which some platforms use for the unsubscribe link, is handled like a block. */
  private copyWithLinks(start: number, end: number): void {
    const { bracketLink } = this.dialect;
    const text = this.source.slice(start, end);
    let copiedUntil = 0;
    for (
      let linkStart = bracketLink === null ? -1 : text.indexOf(bracketLink);
      bracketLink !== null && linkStart >= 0 && !this.isFull;
      linkStart = text.indexOf(bracketLink, copiedUntil)
    ) {
      this.draft.copy(start + copiedUntil, start + linkStart);
      copiedUntil = linkStart + bracketLink.length;
      if (!this.countBlock({ start: start + linkStart, end: start + copiedUntil })) break;
      const what = 'Waypost adds an unsubscribe and preferences link to the footer of promotional mail.';
      this.draft.omit(start + linkStart, start + copiedUntil, 'given_by_footer', what);
    }
    this.draft.copy(start + copiedUntil, end);
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
      if (!(error instanceof UnsupportedError)) throw error;
      const { code, message } = error;
      if (code === 'given_by_footer' || code === 'left_out') this.draft.omit(start, end, code, message);
      else this.draft.addPlaceholder(start, end, code, message);
    }
  }

  private output(block: BraceBlock, cursor: ForeignCursor): void {
    if (cursor.atEnd) return;
    const shown = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    cursor.expectEnd();
    this.draft.append(block.start, block.end, piecesOf(shown));
    this.reportNotes(block, shown);
  }

  private reportNotes({ start, end }: BraceBlock, { notes }: ShownValue): void {
    for (const note of notes) this.draft.warn(start, end, 'approximated', note);
  }

  private tag(block: BraceBlock): void {
    const [written, name = ''] = /^\s*(\w*)/.exec(block.inner) ?? [''];
    const cursor = new ForeignCursor(block.inner.slice(written.length));
    if (name === 'comment' || this.dialect.rawTags.has(name)) return this.skipUnparsed(block, name);
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
        const closes = CLOSING_TAGS.get(name);
        if (closes !== undefined) this.groups.end(block, closes);
        else this.draft.append(block.start, block.end, this.dialect.show(name));
      }
    }
  }

  /** Skips a comment, which is dropped, or a text that is not parsed. */
  private skipUnparsed(block: BraceBlock, name: string): void {
    const end = this.scanner.skipTo(`end${name}`);
    if (end === null) unsupported(`Its “end${name}” is missing.`, 'unreadable');
    else {
      if (name !== 'comment') this.draft.copy(block.end, end.start);
      this.copiedUntil = end.end;
      this.trimsNext = false;
    }
  }

  private assign(block: BraceBlock, cursor: ForeignCursor): void {
    const name = cursor.acceptKind('name') ?? cursor.fail();
    cursor.expect('=');
    const shown = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    cursor.expectEnd();
    piecesOf(shown);
    this.scope.assign(name, shown);
    this.reportNotes(block, shown);
  }
}
