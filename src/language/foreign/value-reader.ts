/** Converts the values of Liquid and Klaviyo to NLT's, in the scope of their position. */
import type { Operand } from '../nlt/tree.js';
import { type FilterRules, filtered, CHARACTER_OF_TEXT } from './foreign-filters.js';
import type { NamesOf } from './foreign-names.js';
import type { ForeignScope } from './foreign-scope.js';
import type { Filtered, ForeignValue } from './foreign-expressions.js';
import { modified, noted, operandIn, type Shown, shownOf } from './shown-value.js';
import { Unfit, unfit } from './unfit.js';

/** The names that query a list. */
const ASKED = /^(?:size|first|last)$/;
const FIRST_OF_LIST = '“first” is read as the first entry of a list here, not as a field with that name.';

/** How the values of one source differ from those of another. */
export interface ValueRules {
  readonly names: NamesOf;
  readonly filters: FilterRules;
  /** Whether `x.size`, `x.first` and `x.last` query a list; otherwise a filter `lookup` reads a field. */
  readonly asksLists: boolean;
}

export class ValueReader {
  constructor(
    private readonly rules: ValueRules,
    private readonly scope: ForeignScope,
  ) {}

  /** @throws Unfit */
  read({ value, filters }: Filtered): Shown {
    const { rules } = this;
    let foreign = value;
    let index = 0;
    for (let next = filters[0]; !rules.asksLists && next?.name === 'lookup'; next = filters[++index]) {
      const [key] = next.args;
      if (foreign.kind !== 'path' || key?.kind !== 'text') return unfit('Waypost cannot look this up.');
      foreign = { kind: 'path', path: [...foreign.path, key.text] };
    }
    const setting = { operand: (argument: ForeignValue): Operand => operandIn(this.plain(argument)) };
    return filters
      .slice(index)
      .reduce((shown, filter) => filtered(shown, filter, rules.filters, setting), this.plain(foreign));
  }

  private plain(value: ForeignValue): Shown {
    switch (value.kind) {
      case 'path':
        return this.named(value.path);
      case 'text':
      case 'number':
      case 'boolean':
        return shownOf(value);
      case 'nil':
      case 'empty':
        return unfit('This shows nothing.');
    }
  }

  private named(path: readonly string[]): Shown {
    if (!this.rules.asksLists) return this.field(path);
    const { read, note } = this.throughLists(path);
    const asked = this.asked(read);
    return note === null ? asked : noted(asked, note);
  }

  /** The path with the indexes of the entries it passes through. @throws Unfit if NLT names them differently */
  private throughLists(path: readonly string[]): {
    readonly read: readonly string[];
    readonly note: string | null;
  } {
    const read = [...path];
    let note: string | null = null;
    for (let index = 1; index < path.length - 1; index++) {
      const word = path[index] ?? '';
      if (word === '-1') unfit('Waypost cannot read fields of the last entry of a list.');
      if (!ASKED.test(word) || !this.isField(path.slice(0, index))) continue;
      if (word !== 'first') unfit(`Waypost cannot read fields after “${word}”.`);
      read[index] = '0';
      note = FIRST_OF_LIST;
    }
    return { read, note };
  }

  /** `x.size`, `x.first`, `x.last` and `x[-1]`; otherwise the field itself. */
  private asked(path: readonly string[]): Shown {
    const last = path.at(-1) ?? '';
    const before = path.slice(0, -1);
    if (last === '-1') return noted(modified(this.field(before), { kind: 'last' }), CHARACTER_OF_TEXT);
    if (/^\d+$/.test(last) && before.length > 0 && this.isField(before))
      return noted(this.field(path), CHARACTER_OF_TEXT);
    if (!ASKED.test(last) || !this.isField(before)) return this.field(path);
    const list = this.field(before);
    if (last === 'first' || last === 'last') return noted(modified(list, { kind: last }), CHARACTER_OF_TEXT);
    return modified(list, { kind: 'count' }, { kind: 'or', fallback: { kind: 'number', digits: '0' } });
  }

  /** Whether the path names a value; `customer` and `event` alone do not, although fields may have these names. */
  private isField(path: readonly string[]): boolean {
    try {
      return path.length > 0 && this.field(path) !== null;
    } catch (error) {
      if (error instanceof Unfit) return false;
      throw error;
    }
  }

  private field(path: readonly string[]): Shown {
    const own = this.scope.own(path);
    if (own !== null)
      return 'value' in own ? own : shownOf({ kind: 'reference', source: 'short', event: null, path: own });
    const [root] = path;
    if (path.length === 1 && (root === 'now' || root === 'today'))
      return shownOf({ kind: 'moment', name: root });
    return shownOf(this.rules.names(path) ?? this.scope.short(path));
  }
}
