/** Converts the values of Liquid and Klaviyo to NLT's, in the scope of their position. */
import type { Operand } from '../nlt/tree.js';
import { type FilterRules, applyFilter, CHARACTER_NOTE } from './foreign-filters.js';
import type { NameResolver } from './foreign-names.js';
import type { ForeignScope } from './foreign-scope.js';
import type { FilteredValue, ForeignValue } from './foreign-expressions.js';
import { addModifiers, withNote, operandIn, type ShownValue, shownOf } from './shown-value.js';
import { UnsupportedError, unsupported } from './unsupported.js';

/** The names that query a list. */
const LIST_PROPERTY = /^(?:size|first|last)$/;
const FIRST_ENTRY_NOTE = '“first” is read as the first entry of a list here, not as a field with that name.';

/** How the values of one source differ from those of another. */
export interface ValueRules {
  readonly names: NameResolver;
  readonly filters: FilterRules;
  /** Whether `x.size`, `x.first` and `x.last` query a list; otherwise a filter `lookup` reads a field. */
  readonly hasListProperties: boolean;
}

export class ValueReader {
  constructor(
    private readonly rules: ValueRules,
    private readonly scope: ForeignScope,
  ) {}

  /** @throws Unfit */
  read({ value, filters }: FilteredValue): ShownValue {
    const { rules } = this;
    let foreign = value;
    let index = 0;
    for (
      let next = filters[0];
      !rules.hasListProperties && next?.name === 'lookup';
      next = filters[++index]
    ) {
      const [key] = next.args;
      if (foreign.kind !== 'path' || key?.kind !== 'text') return unsupported('Waypost cannot look this up.');
      foreign = { kind: 'path', path: [...foreign.path, key.text] };
    }
    const setting = {
      operand: (argument: ForeignValue): Operand => operandIn(this.readUnfiltered(argument)),
    };
    return filters
      .slice(index)
      .reduce(
        (shown, filter) => applyFilter(shown, filter, rules.filters, setting),
        this.readUnfiltered(foreign),
      );
  }

  private readUnfiltered(value: ForeignValue): ShownValue {
    switch (value.kind) {
      case 'path':
        return this.readNamed(value.path);
      case 'text':
      case 'number':
      case 'boolean':
        return shownOf(value);
      case 'nil':
      case 'empty':
        return unsupported('This shows nothing.');
    }
  }

  private readNamed(path: readonly string[]): ShownValue {
    if (!this.rules.hasListProperties) return this.field(path);
    const { read, note } = this.withEntryIndexes(path);
    const result = this.readListProperty(read);
    return note === null ? result : withNote(result, note);
  }

  /** The path with the indexes of the entries it passes through. @throws Unfit if NLT names them differently */
  private withEntryIndexes(path: readonly string[]): {
    readonly read: readonly string[];
    readonly note: string | null;
  } {
    const read = [...path];
    let note: string | null = null;
    for (let index = 1; index < path.length - 1; index++) {
      const word = path[index] ?? '';
      if (word === '-1') unsupported('Waypost cannot read fields of the last entry of a list.');
      if (!LIST_PROPERTY.test(word) || !this.isField(path.slice(0, index))) continue;
      if (word !== 'first') unsupported(`Waypost cannot read fields after “${word}”.`);
      read[index] = '0';
      note = FIRST_ENTRY_NOTE;
    }
    return { read, note };
  }

  /** `x.size`, `x.first`, `x.last` and `x[-1]`; otherwise the field itself. */
  private readListProperty(path: readonly string[]): ShownValue {
    const last = path.at(-1) ?? '';
    const before = path.slice(0, -1);
    if (last === '-1') return withNote(addModifiers(this.field(before), { kind: 'last' }), CHARACTER_NOTE);
    if (/^\d+$/.test(last) && before.length > 0 && this.isField(before))
      return withNote(this.field(path), CHARACTER_NOTE);
    if (!LIST_PROPERTY.test(last) || !this.isField(before)) return this.field(path);
    const list = this.field(before);
    if (last === 'first' || last === 'last')
      return withNote(addModifiers(list, { kind: last }), CHARACTER_NOTE);
    return addModifiers(list, { kind: 'count' }, { kind: 'or', fallback: { kind: 'number', digits: '0' } });
  }

  /** Whether the path names a value; `customer` and `event` alone do not, although fields may have these names. */
  private isField(path: readonly string[]): boolean {
    try {
      return path.length > 0 && this.field(path) !== null;
    } catch (error) {
      if (error instanceof UnsupportedError) return false;
      throw error;
    }
  }

  private field(path: readonly string[]): ShownValue {
    const assigned = this.scope.resolveAssigned(path);
    if (assigned !== null)
      return 'value' in assigned
        ? assigned
        : shownOf({ kind: 'reference', source: 'short', event: null, path: assigned });
    const [root] = path;
    if (path.length === 1 && (root === 'now' || root === 'today'))
      return shownOf({ kind: 'moment', name: root });
    return shownOf(this.rules.names(path) ?? this.scope.resolveShort(path));
  }
}
