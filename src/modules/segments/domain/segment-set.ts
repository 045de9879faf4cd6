/**
 * The set of a workspace's segments. Filters may name other segments, so the set resolves what each filter means,
 * which segments depend on each other, and whether one may be saved or deleted.
 */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { FilterCondition, FilterGroup } from './filter.js';
import { findCycle, eventNamesOf, isTimeDependent, segmentIdsOf } from './filter-inputs.js';
import { readFilter } from './read-filter.js';
import type { Segment } from './segment.js';

/**
 * Maximum number of conditions, and of conditions on events, in a filter together with all segments that it names.
 */
const MAX_CONDITIONS = 500;
const MAX_EVENT_CONDITIONS = 40;

type StoredFilter = Pick<Segment, 'id' | 'name' | 'match' | 'conditions'>;

interface Size {
  readonly conditions: number;
  readonly events: number;
}

export class SegmentSet {
  private readonly segments: ReadonlyMap<string, StoredFilter>;
  private readonly filters = new Map<string, FilterGroup | DomainError>();
  /** Computed on first use; workers use it for every batch. */
  private named: ReadonlySet<string> | undefined;

  constructor(segments: readonly StoredFilter[]) {
    this.segments = new Map(segments.map((segment) => [segment.id, segment]));
  }

  /** The set with a segment added, or replaced if its id exists. */
  with(segment: StoredFilter): SegmentSet {
    return new SegmentSet([...new Map(this.segments).set(segment.id, segment).values()]);
  }

  /**
   * The filter of a segment; undefined if there is none.
   * @throws DomainError as readFilter does, for a filter that was stored under less strict rules.
   */
  readonly filterOf = (id: string): FilterGroup | undefined => {
    const segment = this.segments.get(id);
    if (!segment) return undefined;
    const parsed = this.filters.get(id) ?? readStored(segment);
    this.filters.set(id, parsed);
    if (parsed instanceof DomainError) throw parsed;
    return parsed;
  };

  /** All segments that can be read, together with those that their filters name. */
  readable(): ReadonlyMap<string, FilterGroup> {
    const found = new Map<string, FilterGroup>();
    for (const id of this.segments.keys()) {
      const filter = this.readableFilterOf(id);
      if (filter) found.set(id, filter);
    }
    return found;
  }

  /** The filter of a segment if it and those that it names can be read; undefined otherwise, or if there is none. */
  readableFilterOf(id: string): FilterGroup | undefined {
    return this.attempt(() => this.reachableFrom(id) && this.filterOf(id));
  }

  get isEmpty(): boolean {
    return this.segments.size === 0;
  }

  /** The names of the events that any of the segments uses. */
  eventNames(): ReadonlySet<string> {
    this.named ??= new Set([...this.readable().values()].flatMap(eventNamesOf));
    return this.named;
  }

  /** The names of the events that the segment and those that it names use; empty if it cannot be read. */
  eventNamesOf(id: string): string[] {
    const filters = this.attempt(() => [...this.reachableFrom(id)].map(this.filterOf)) ?? [];
    return [...new Set(filters.flatMap((filter) => (filter ? eventNamesOf(filter) : [])))];
  }

  /** Whether time alone may change who is in the segment. */
  isTimeDependent(id: string): boolean {
    return [...this.reachableFrom(id)].some((one) => {
      const filter = this.filterOf(one);
      return filter !== undefined && isTimeDependent(filter);
    });
  }

  /** The segment and all segments whose filters lead to it: their members change when its filter changes. */
  dependentOn(id: string): string[] {
    return [...this.segments.keys()].filter((one) => this.attempt(() => this.reachableFrom(one))?.has(id));
  }

  /**
   * Rejects a filter that cannot be evaluated: it names segments that do not exist or that lead back to it, or
   * exceeds the size limits together with them.
   * @throws DomainError invalid_field.
   */
  assertMeaningful(filter: FilterGroup, id?: string): void {
    for (const named of segmentIdsOf(filter))
      if (!this.segments.has(named))
        throw invalidConditions(`refers to a segment that does not exist: ${named}`);
    const cycle = id === undefined ? undefined : findCycle(id, filter, this.filterOf);
    if (cycle) throw invalidConditions(`refer back to the segment itself: ${this.chain(cycle)}`);
    this.assertSize(filter);
    for (const other of id === undefined ? [] : this.dependentOn(id)) {
      const named = this.filterOf(other);
      if (named) this.assertSize(named);
    }
  }

  /**
   * Rejects the deletion of a segment that another one names.
   * @throws DomainError conflict with their names.
   */
  assertUnreferenced(id: string): void {
    const referencing = [...this.segments.values()].filter(({ id: other }) =>
      this.attempt(() => segmentIdsOf(this.filterOf(other) ?? EMPTY_FILTER))?.includes(id),
    );
    if (referencing.length === 0) return;
    const names = referencing.map(({ name }) => `"${name}"`).join(', ');
    throw new DomainError('conflict', `The segment is used in the filters of ${names}: change those first.`);
  }

  /** The segment and all segments that its filter leads to. */
  private reachableFrom(id: string, seen = new Set<string>()): Set<string> {
    const filter = seen.has(id) ? undefined : this.filterOf(id);
    seen.add(id);
    for (const named of filter ? segmentIdsOf(filter) : []) this.reachableFrom(named, seen);
    return seen;
  }

  private assertSize(filter: FilterGroup): void {
    const { conditions, events } = sizeOf(filter, this.filterOf, new Map());
    if (conditions > MAX_CONDITIONS || events > MAX_EVENT_CONDITIONS)
      throw invalidConditions(
        `must be at most ${MAX_CONDITIONS}, with at most ${MAX_EVENT_CONDITIONS} about events, including those of all ` +
          'segments they refer to',
      );
  }

  private chain(ids: readonly string[]): string {
    return ids.map((id) => `"${this.segments.get(id)?.name ?? id}"`).join(' → ');
  }

  /** The result of `read`; undefined if a stored filter can no longer be read. */
  private attempt<Value>(read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

/** The id of a segment in stored form; undefined if the text is not an id. */
export function segmentIdIn(text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : undefined;
}

const EMPTY_FILTER: FilterGroup = { kind: 'group', match: 'all', conditions: [] };

function readStored({ name, match, conditions }: StoredFilter): FilterGroup | DomainError {
  try {
    return readFilter({ match, conditions });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const detail = `The filter of the segment "${name}" can no longer be read: ${error.detail}`;
    return new DomainError(error.code, detail, error.fields);
  }
}

function sizeOf(
  condition: FilterCondition,
  filterOf: (id: string) => FilterGroup | undefined,
  sizes: Map<string, Size>,
): Size {
  switch (condition.kind) {
    case 'field':
    case 'tags':
      return { conditions: 1, events: 0 };
    case 'event':
      return { conditions: 1 + condition.where.length, events: 1 };
    case 'group': {
      let [conditions, events] = [1, 0];
      for (const inner of condition.conditions) {
        const size = sizeOf(inner, filterOf, sizes);
        conditions += size.conditions;
        events += size.events;
      }
      return { conditions, events };
    }
    case 'segment': {
      const filter = filterOf(condition.segmentId);
      const size =
        sizes.get(condition.segmentId) ??
        (filter ? sizeOf(filter, filterOf, sizes) : { conditions: 1, events: 0 });
      sizes.set(condition.segmentId, size);
      return size;
    }
  }
}

function invalidConditions(message: string): DomainError {
  return invalidFields([{ field: 'conditions', message }]);
}
