/**
 * Tracks the open conditions and loops of a Liquid or Klaviyo template, and converts their tags.
 *
 * Edge cases:
 * - Content between `case` and its first `when` is never shown and is dropped.
 * - A closing tag of an outer block abandons the blocks open inside it.
 */
import type { PipedValue } from '../nlt/tree.js';
import type { BraceDialect } from './brace-dialect.js';
import type { BraceBlock } from './brace-scanner.js';
import type { Draft, BlockGroup } from './draft.js';
import { conditionFrom, type ConditionSetting, notCondition } from './foreign-conditions.js';
import {
  type FilteredValue,
  type ForeignCondition,
  parseFiltered,
  parseForeignCondition,
} from './foreign-expressions.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { ForeignScope } from './foreign-scope.js';
import type { ForeignCursor } from './foreign-tokens.js';
import type { BlockKind } from './hidden-names.js';
import { conditionTag, loopTag } from './nlt-tags.js';
import { pipedIn, type ShownValue } from './shown-value.js';
import { UnsupportedError, unsupported } from './unsupported.js';
import type { ValueReader } from './value-reader.js';

interface OpenBlock {
  readonly group: BlockGroup;
  readonly kind: BlockKind;
  readonly depth: number;
  /** The value of a `case`, or the list of a loop. */
  readonly subject: FilteredValue | null;
  readonly list: PipedValue | null;
  /** The number of parts up to the first `when` of a `case`. */
  readonly firstPart: number;
  branches: number;
  hasElse: boolean;
}

export class BraceGroups {
  private readonly open: OpenBlock[] = [];
  private readonly openCount = { if: 0, unless: 0, case: 0, for: 0 };

  constructor(
    private readonly draft: Draft,
    private readonly scope: ForeignScope,
    private readonly reader: ValueReader,
    private readonly dialect: BraceDialect,
  ) {}

  /** Ends all blocks that are never closed. */
  abandonAll(): void {
    for (let last = this.pop(); last !== undefined; last = this.pop()) this.abandon(last);
  }

  /** Opens a condition. If it is unfit, all of its tags become placeholders. */
  openCondition(block: BraceBlock, kind: 'if' | 'unless', cursor: ForeignCursor): void {
    const open = this.push(block, { kind, subject: null, list: null });
    this.tagOf(open, block, () => {
      const condition = parseForeignCondition(cursor, this.dialect.grammar);
      return conditionTag('if', (kind === 'if' ? conditionFrom : notCondition)(condition, this.setting));
    });
    open.branches = 1;
  }

  openCase(block: BraceBlock, cursor: ForeignCursor): void {
    const subject = resultOrUnsupported(() => {
      const value = parseFiltered(cursor, this.dialect.grammar);
      cursor.expectEnd();
      this.reader.read(value);
      return value;
    });
    const isSupported = !(subject instanceof UnsupportedError);
    const open = this.push(block, { kind: 'case', subject: isSupported ? subject : null, list: null });
    this.tagOf(open, block, () => {
      if (!isSupported) throw subject;
      return '';
    });
  }

  openLoop(block: BraceBlock, cursor: ForeignCursor): void {
    const [variable = ''] = /^\s*[\w-]+/.exec(block.inner.replace(/^\s*for\b\s*/, '')) ?? [];
    const list = resultOrUnsupported(() => this.listOf(cursor));
    const isSupported = !(list instanceof UnsupportedError);
    const open = this.push(block, { kind: 'for', subject: null, list: isSupported ? list : null });
    const name = this.scope.nameFor(variable);
    this.tagOf(open, block, () => {
      if (!isSupported) throw list;
      return loopTag(name, list);
    });
    if (variable !== '') this.scope.push(variable, open.group.isUnconverted ? null : name);
  }

  /** The list in `for x in list`. @throws Unfit */
  private listOf(cursor: ForeignCursor): PipedValue {
    if (cursor.acceptKind('name') === null) return cursor.fail();
    if (cursor.at(',')) unsupported('A loop of Waypost has one variable.');
    cursor.expect('in');
    const list = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    if (!cursor.atEnd) unsupported('Waypost loops always cover the whole list.');
    if (list.value.kind !== 'reference') unsupported('A loop of Waypost needs a named list.');
    return pipedIn(list);
  }

  /** Adds a branch to the open block. @throws Unfit if it belongs to no open block */
  branch(block: BraceBlock, name: string, cursor: ForeignCursor): void {
    const open = this.open.at(-1);
    const isElse = name === 'else' || name === 'empty';
    const belongsToOpen = open?.kind === 'case' ? name === 'when' || isElse : name !== 'when';
    if (
      open === undefined ||
      open.hasElse ||
      !belongsToOpen ||
      (open.kind === 'for') !== (name === 'empty' || (isElse && open.kind === 'for'))
    )
      return unsupported(`“${name}” is not inside a condition that it could belong to.`, 'unreadable');
    if (open.kind === 'case' && open.branches === 0) this.draft.remove(open.firstPart, this.draft.length);
    this.tagOf(open, block, () => this.branchTag(open, name, cursor));
    open.branches++;
    open.hasElse = isElse;
  }

  private branchTag(open: OpenBlock, name: string, cursor: ForeignCursor): string {
    if (name === 'else' || name === 'empty') {
      cursor.expectEnd();
      if (open.branches === 0 && open.kind === 'case')
        unsupported('A condition without a case is always true.');
      if (open.kind !== 'for') return '{else}';
      this.scope.truncateTo(open.depth);
      if (open.list === null) return '';
      const isEmpty = { kind: 'unary', negated: false, left: open.list, operator: 'is empty' } as const;
      return `{end for}${conditionTag('if', isEmpty)}`;
    }
    const condition =
      name === 'when' ? this.whenOf(open, cursor) : parseForeignCondition(cursor, this.dialect.grammar);
    return conditionTag(open.branches === 0 ? 'if' : 'else if', conditionFrom(condition, this.setting));
  }

  /** `{% when a, b or c %}` */
  private whenOf({ subject }: OpenBlock, cursor: ForeignCursor): ForeignCondition {
    if (subject === null) return unsupported('The value that this is compared with is not converted.');
    const parts: ForeignCondition[] = [];
    do {
      if (parts.length === MAX_FOREIGN_PARTS) unsupported('The condition is too long.', 'beyond_bounds');
      const right = parseFiltered(cursor, this.dialect.grammar);
      parts.push({ kind: 'compared', left: subject, comparator: '==', right });
    } while (cursor.accept(',') || cursor.accept('or'));
    cursor.expectEnd();
    return { kind: 'or', parts };
  }

  /** Closes the open block. @throws Unfit if no block of this kind is open */
  end(block: BraceBlock, kind: BlockKind): void {
    if (this.openCount[kind] === 0) return unsupported('This closes nothing that is open.', 'unreadable');
    for (let open = this.pop(); open !== undefined; open = this.pop()) {
      this.scope.truncateTo(open.depth);
      if (open.kind !== kind) {
        this.abandon(open);
        continue;
      }
      const isEmptyCase = kind === 'case' && open.branches === 0;
      if (isEmptyCase) this.draft.remove(open.firstPart, this.draft.length);
      const nlt = kind === 'for' && !open.hasElse ? '{end for}' : isEmptyCase ? '' : '{end if}';
      this.draft.tag(open.group, block.start, block.end, nlt);
      this.draft.close(open.group);
      return;
    }
  }

  private push(block: BraceBlock, head: Pick<OpenBlock, 'kind' | 'subject' | 'list'>): OpenBlock {
    const group = this.draft.open(block.start, block.end);
    const open = {
      ...head,
      group,
      depth: this.scope.depth,
      firstPart: this.draft.length + 1,
      branches: 0,
      hasElse: false,
    };
    this.open.push(open);
    this.openCount[open.kind]++;
    return open;
  }

  private pop(): OpenBlock | undefined {
    const open = this.open.pop();
    if (open !== undefined) this.openCount[open.kind]--;
    return open;
  }

  /** Converts a tag of an open condition or loop; an unfit tag breaks the whole group. */
  private tagOf({ group }: OpenBlock, block: BraceBlock, convert: () => string): void {
    try {
      this.draft.tag(group, block.start, block.end, convert());
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      const isLink = error.code === 'given_by_footer' || error.code === 'left_out';
      this.draft.warn(block.start, block.end, isLink ? 'no_counterpart' : error.code, error.message);
      this.draft.tag(group, block.start, block.end, null);
    }
  }

  private abandon({ group, kind }: OpenBlock): void {
    this.draft.abandon(group, kind === 'for' ? 'loop' : 'condition');
  }

  private get setting(): ConditionSetting {
    const read = (value: FilteredValue): ShownValue => this.reader.read(value);
    return { truth: this.dialect.truth, read };
  }
}

/** The result of `convert`, or the reason why it is unfit. */
function resultOrUnsupported<Result>(convert: () => Result): Result | UnsupportedError {
  try {
    return convert();
  } catch (error) {
    if (error instanceof UnsupportedError) return error;
    throw error;
  }
}
