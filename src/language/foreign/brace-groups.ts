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
import type { Draft, Group } from './draft.js';
import { conditionFrom, type ConditionSetting, notCondition } from './foreign-conditions.js';
import {
  type Filtered,
  type ForeignCondition,
  parseFiltered,
  parseForeignCondition,
} from './foreign-expressions.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { ForeignScope } from './foreign-scope.js';
import type { ForeignCursor } from './foreign-tokens.js';
import type { BlockKind } from './hidden-names.js';
import { conditionTag, loopTag } from './nlt-tags.js';
import { pipedIn, type Shown } from './shown-value.js';
import { Unfit, unfit } from './unfit.js';
import type { ValueReader } from './value-reader.js';

interface Open {
  readonly group: Group;
  readonly kind: BlockKind;
  readonly depth: number;
  /** The value of a `case`, or the list of a loop. */
  readonly subject: Filtered | null;
  readonly list: PipedValue | null;
  /** The number of parts up to the first `when` of a `case`. */
  readonly before: number;
  branches: number;
  hasElse: boolean;
}

export class BraceGroups {
  private readonly open: Open[] = [];
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

  openLoop(block: BraceBlock, cursor: ForeignCursor): void {
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

  /** The list in `for x in list`. @throws Unfit */
  private listOf(cursor: ForeignCursor): PipedValue {
    if (cursor.takeKind('name') === null) return cursor.fail();
    if (cursor.at(',')) unfit('A loop of Waypost has one variable.');
    cursor.expect('in');
    const list = this.reader.read(parseFiltered(cursor, this.dialect.grammar));
    if (!cursor.atEnd) unfit('Waypost loops always cover the whole list.');
    if (list.value.kind !== 'reference') unfit('A loop of Waypost needs a named list.');
    return pipedIn(list);
  }

  /** Adds a branch to the open block. @throws Unfit if it belongs to no open block */
  branch(block: BraceBlock, name: string, cursor: ForeignCursor): void {
    const open = this.open.at(-1);
    const isElse = name === 'else' || name === 'empty';
    const isOfOpen = open?.kind === 'case' ? name === 'when' || isElse : name !== 'when';
    if (
      open === undefined ||
      open.hasElse ||
      !isOfOpen ||
      (open.kind === 'for') !== (name === 'empty' || (isElse && open.kind === 'for'))
    )
      return unfit(`“${name}” is not inside a condition that it could belong to.`, 'unreadable');
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

  /** Closes the open block. @throws Unfit if no block of this kind is open */
  end(block: BraceBlock, kind: BlockKind): void {
    if (this.openCount[kind] === 0) return unfit('This closes nothing that is open.', 'unreadable');
    for (let open = this.pop(); open !== undefined; open = this.pop()) {
      this.scope.cutTo(open.depth);
      if (open.kind !== kind) {
        this.abandon(open);
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

  /** Converts a tag of an open condition or loop; an unfit tag breaks the whole group. */
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

  private abandon({ group, kind }: Open): void {
    this.draft.abandon(group, kind === 'for' ? 'loop' : 'condition');
  }

  private get setting(): ConditionSetting {
    const read = (value: Filtered): Shown => this.reader.read(value);
    return { truth: this.dialect.truth, read };
  }
}

/** The result of `convert`, or the reason why it is unfit. */
function fittingOr<Result>(convert: () => Result): Result | Unfit {
  try {
    return convert();
  } catch (error) {
    if (error instanceof Unfit) return error;
    throw error;
  }
}
