/** Reads the values of Liquid and Klaviyo as NLT's, in the scope of the place where they stand. */
import type { Operand } from '../nlt/tree.js';
import { type FilterRules, filtered } from './foreign-filters.js';
import type { NamesOf } from './foreign-names.js';
import type { ForeignScope } from './foreign-scope.js';
import type { Filtered, ForeignValue } from './foreign-expressions.js';
import { modified, operandIn, type Shown, shownOf } from './shown-value.js';
import { unfit } from './unfit.js';

/** What tells a source's values from another's. */
export interface ValueRules {
  readonly names: NamesOf;
  readonly filters: FilterRules;
  /** Whether `x.size`, `x.first` and `x.last` ask a list; else a filter `lookup` reads a field. */
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
    const last = path.at(-1);
    const isAsked =
      this.rules.asksLists && path.length > 1 && (last === 'size' || last === 'first' || last === 'last');
    if (!isAsked) return this.field(path);
    const list = this.field(path.slice(0, -1));
    if (last !== 'size') return modified(list, { kind: last });
    return modified(list, { kind: 'count' }, { kind: 'or', fallback: { kind: 'number', digits: '0' } });
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
