/**
 * Converts templates of Liquid and of Klaviyo, whose blocks are alike: `{{ … }}` shows, `{% … %}` does.
 *
 * Dark corners:
 * - A variable that is assigned outside of every condition and loop is written out where it is used. One that is
 *   assigned inside of them, captured or counted cannot be: its uses become placeholders.
 * - What stands between `case` and its first `when` is never shown and goes.
 * - `-` at a brace cuts the white space there, also beside a placeholder.
 */
import type { PipedValue } from '../nlt/tree.js';
import type { BraceDialect } from './brace-dialect.js';
import { type BraceBlock, BraceScanner } from './brace-scanner.js';
import { Draft, type Group } from './draft.js';
import { conditionFrom, type ConditionSetting, notCondition } from './foreign-conditions.js';
import {
  type ForeignCondition,
  parseFiltered,
  parseForeignCondition,
  type Filtered,
} from './foreign-expressions.js';
import { MAX_FOREIGN_BLOCKS, MAX_FOREIGN_PARTS } from './foreign-limits.js';
import { ForeignScope } from './foreign-scope.js';
import type { ForeignField, ForeignText } from './foreign-source.js';
import { ForeignCursor } from './foreign-tokens.js';
import { type BlockKind, ENDS, hiddenNames } from './hidden-names.js';
import { conditionTag, loopTag } from './nlt-tags.js';
import { pipedIn, piecesOf, type Shown } from './shown-value.js';
import { Unfit, unfit } from './unfit.js';
import { ValueReader } from './value-reader.js';

interface Open {
  readonly group: Group;
  readonly kind: BlockKind;
  readonly depth: number;
  /** The value of a `case`, the list of a loop. */
  readonly subject: Filtered | null;
  readonly list: PipedValue | null;
  /** How many parts there are up to the first `when` of a `case`. */
  readonly before: number;
  branches: number;
  hasElse: boolean;
}

/** Converts one text of a template; in linear time. Never throws. */
export function convertBraces(source: string, field: ForeignField, dialect: BraceDialect): ForeignText {
  return new BraceConverter(source, field, dialect).convert();
}

class BraceConverter {
  private readonly draft: Draft;
  private readonly scanner: BraceScanner;
  private readonly scope: ForeignScope;
  private readonly reader: ValueReader;
  private readonly open: Open[] = [];
  private readonly openCount = { if: 0, unless: 0, case: 0, for: 0 };
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
  }

  convert(): ForeignText {
    let count = 0;
    for (let block = this.scanner.next(); block !== null; block = this.scanner.next()) {
      this.copyTo(block.start, block.trimBefore);
      if (++count > MAX_FOREIGN_BLOCKS) {
        this.draft.refuse(
          block.start,
          block.end,
          'beyond_bounds',
          `Only the first ${MAX_FOREIGN_BLOCKS} blocks are converted.`,
        );
        this.done = block.end;
        this.cutsNext = false;
        break;
      }
      this.done = block.end;
      this.cutsNext = block.trimAfter;
      this.convertBlock(block);
    }
    this.copyTo(this.source.length, false);
    for (let last = this.pop(); last !== undefined; last = this.pop())
      this.draft.abandon(last.group, last.kind === 'for' ? 'loop' : 'condition');
    return this.draft.finish();
  }

  private copyTo(end: number, cutsEnd: boolean): void {
    const text = this.source.slice(this.done, end);
    const start = this.cutsNext ? end - text.trimStart().length : this.done;
    const kept = cutsEnd ? start + this.source.slice(start, end).trimEnd().length : end;
    this.copyWithLinks(start, Math.max(start, kept));
  }

  /** Copies text; an address in brackets, which some have for the link to unsubscribe, goes as a block would. */
  private copyWithLinks(start: number, end: number): void {
    const { bracketLink } = this.dialect;
    const text = this.source.slice(start, end);
    let done = 0;
    for (
      let at = bracketLink === null ? -1 : text.indexOf(bracketLink);
      bracketLink !== null && at >= 0;
      at = text.indexOf(bracketLink, done)
    ) {
      this.draft.copy(start + done, start + at);
      done = at + bracketLink.length;
      const what =
        'Waypost adds a link to unsubscribe or change preferences to the footer of promotional mail.';
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

  /** Runs `convert`; what it finds unfit is refused or left out. */
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
        return this.openCondition(block, name, cursor);
      case 'case':
        return this.openCase(block, cursor);
      case 'for':
        return this.openLoop(block, cursor);
      case 'elsif':
      case 'elif':
      case 'when':
      case 'else':
      case 'empty':
        return this.branch(block, name, cursor);
      case 'echo':
        return this.output(block, cursor);
      case 'assign':
        return this.assign(block, cursor);
      default: {
        const closes = ENDS.get(name);
        if (closes !== undefined) this.end(block, closes);
        else this.draft.put(block.start, block.end, this.dialect.show(name));
      }
    }
  }

  /** A comment, which goes, or a text that is not read. */
  private unread(block: BraceBlock, name: string): void {
    const end = this.scanner.skipTo(`end${name}`);
    if (end === null) unfit(`Its “end${name}” is missing.`, 'unreadable');
    else {
      if (name !== 'comment') this.draft.copy(block.end, end.start);
      this.done = end.end;
      this.cutsNext = false;
    }
  }

  private get setting(): ConditionSetting {
    const read = (value: Filtered): Shown => this.reader.read(value);
    return { truth: this.dialect.truth, read };
  }

  private openCondition(block: BraceBlock, kind: 'if' | 'unless', cursor: ForeignCursor): void {
    const open = this.push(block, { kind, subject: null, list: null });
    this.tagOf(open, block, () => {
      const condition = parseForeignCondition(cursor, this.dialect.grammar);
      return conditionTag('if', (kind === 'if' ? conditionFrom : notCondition)(condition, this.setting));
    });
    open.branches = 1;
  }

  private openCase(block: BraceBlock, cursor: ForeignCursor): void {
    const subject = fittingOr(() => {
      const value = parseFiltered(cursor, this.dialect.grammar);
      cursor.expectEnd();
      this.reader.read(value);
      return value;
    });
    const isFit = !(subject instanceof Unfit);
    const open = this.push(block, { kind: 'case', subject: isFit ? subject : null, list: null });
    this.tagOf(open, block, () => {
      if (!isFit) throw subject;
      return '';
    });
  }

  private openLoop(block: BraceBlock, cursor: ForeignCursor): void {
    const [variable = ''] = /^\s*[\w-]+/.exec(block.inner.replace(/^\s*for\b\s*/, '')) ?? [];
    const list = fittingOr(() => this.listOf(cursor));
    const isFit = !(list instanceof Unfit);
    const open = this.push(block, { kind: 'for', subject: null, list: isFit ? list : null });
    const name = this.scope.nameFor(variable);
    this.tagOf(open, block, () => {
      if (!isFit) throw list;
      return loopTag(name, list);
    });
    if (variable !== '') this.scope.push(variable, open.group.broken ? null : name);
  }

  /** The list behind `for x in`. @throws Unfit */
  private listOf(cursor: ForeignCursor): PipedValue {
    if (cursor.takeKind('name') === null) return cursor.fail();
    if (cursor.at(',')) unfit('A loop of Waypost has one variable.');
    cursor.expect('in');
    const list = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    if (!cursor.atEnd) unfit('A loop of Waypost goes through the whole list.');
    if (list.value.kind !== 'reference') unfit('A loop of Waypost needs a named list.');
    return pipedIn(list);
  }

  private branch(block: BraceBlock, name: string, cursor: ForeignCursor): void {
    const open = this.open.at(-1);
    const isElse = name === 'else' || name === 'empty';
    const isOfOpen = open?.kind === 'case' ? name === 'when' || isElse : name !== 'when';
    if (
      open === undefined ||
      open.hasElse ||
      !isOfOpen ||
      (open.kind === 'for') !== (name === 'empty' || (isElse && open.kind === 'for'))
    )
      return unfit(`“${name}” stands in no condition that it could belong to.`, 'unreadable');
    if (open.kind === 'case' && open.branches === 0) this.draft.drop(open.before, this.draft.length);
    this.tagOf(open, block, () => this.branchTag(open, name, cursor));
    open.branches++;
    open.hasElse = isElse;
  }

  private branchTag(open: Open, name: string, cursor: ForeignCursor): string {
    if (name === 'else' || name === 'empty') {
      cursor.expectEnd();
      if (open.branches === 0 && open.kind === 'case') unfit('A condition without a case is always true.');
      if (open.kind !== 'for') return '{else}';
      this.scope.cutTo(open.depth);
      if (open.list === null) return '';
      const isEmpty = { kind: 'unary', negated: false, left: open.list, operator: 'is empty' } as const;
      return `{end for}${conditionTag('if', isEmpty)}`;
    }
    const condition =
      name === 'when' ? this.whenOf(open, cursor) : parseForeignCondition(cursor, this.dialect.grammar);
    return conditionTag(open.branches === 0 ? 'if' : 'else if', conditionFrom(condition, this.setting));
  }

  /** `{% when a, b or c %}` */
  private whenOf({ subject }: Open, cursor: ForeignCursor): ForeignCondition {
    if (subject === null) return unfit('The value that this is compared with is not converted.');
    const parts: ForeignCondition[] = [];
    do {
      if (parts.length === MAX_FOREIGN_PARTS) unfit('The condition is too long.', 'beyond_bounds');
      const right = parseFiltered(cursor, this.dialect.grammar);
      parts.push({ kind: 'compared', left: subject, comparator: '==', right });
    } while (cursor.take(',') || cursor.take('or'));
    cursor.expectEnd();
    return { kind: 'or', parts };
  }

  private end(block: BraceBlock, kind: BlockKind): void {
    if (this.openCount[kind] === 0) return unfit('This closes nothing that is open.', 'unreadable');
    for (let open = this.pop(); open !== undefined; open = this.pop()) {
      this.scope.cutTo(open.depth);
      if (open.kind !== kind) {
        this.draft.abandon(open.group, open.kind === 'for' ? 'loop' : 'condition');
        continue;
      }
      const isEmptyCase = kind === 'case' && open.branches === 0;
      if (isEmptyCase) this.draft.drop(open.before, this.draft.length);
      const nlt = kind === 'for' && !open.hasElse ? '{end for}' : isEmptyCase ? '' : '{end if}';
      this.draft.tag(open.group, block.start, block.end, nlt);
      this.draft.close(open.group);
      return;
    }
  }

  private push(block: BraceBlock, head: Pick<Open, 'kind' | 'subject' | 'list'>): Open {
    const group = this.draft.open(block.start, block.end);
    const open = {
      ...head,
      group,
      depth: this.scope.depth,
      before: this.draft.length + 1,
      branches: 0,
      hasElse: false,
    };
    this.open.push(open);
    this.openCount[open.kind]++;
    return open;
  }

  private pop(): Open | undefined {
    const open = this.open.pop();
    if (open !== undefined) this.openCount[open.kind]--;
    return open;
  }

  /** A tag of an open condition or loop; unfit, it breaks the whole of it. */
  private tagOf({ group }: Open, block: BraceBlock, convert: () => string): void {
    try {
      this.draft.tag(group, block.start, block.end, convert());
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      const isLink = error.code === 'given_by_footer' || error.code === 'left_out';
      this.draft.warn(block.start, block.end, isLink ? 'no_counterpart' : error.code, error.message);
      this.draft.tag(group, block.start, block.end, null);
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

/** What `convert` gives, or why it is unfit. */
function fittingOr<Result>(convert: () => Result): Result | Unfit {
  try {
    return convert();
  } catch (error) {
    if (error instanceof Unfit) return error;
    throw error;
  }
}
