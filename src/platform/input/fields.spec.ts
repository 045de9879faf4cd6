import 'reflect-metadata';
import { DomainError } from '../../kernel/domain-error.js';
import {
  JsonOf,
  Json,
  Moment,
  Nested,
  OneOf,
  Read,
  SearchText,
  Text,
  Unvalidated,
  Uuid,
  Integer,
} from './fields.js';
import { Arguments, Input } from './input-class.js';
import { tableOf, type InputSource } from './input-table.js';
import { Limit, NestedPageArgs, Offset, PageArgs } from './page.input.js';
import { readInput, refuse } from './read-input.js';

@Input({}, { nullIsAbsent: true })
class Inner {
  @Text({ optional: true }) innerName?: string;
}

@Input({})
class Sample {
  @Moment({ optional: true }) createdAfter?: Date;
  @Uuid({ optional: true }) flowId?: string;
  @SearchText({ optional: true, max: 3 }) partOf?: string;
  @Unvalidated({ optional: true }) dateRange?: unknown;
  @JsonOf(Inner, { optional: true }) writtenInside?: Inner;
  @Nested(Inner, { optional: true }) facedInside?: Inner;
  @Json({ optional: true }) anyObject?: object;
  @Integer({ optional: true, min: 2 }) atLeastTwo?: number;

  @Read((value, place) => (value === 1 ? 'one' : refuse(place, 'must be 1')), { optional: true })
  ownReader?: unknown;

  @OneOf(['up', 'down'], { fallback: 'up', nullable: 'absent' }) sortOrder: string;
  @Limit(50, 200) limit: number;
  @Offset() offset: number;
}

@Arguments()
class SampleArgs extends Inner {
  @Integer({ fallback: 7 }) first: number;
}

/** The parsed object, or the rejected fields. */
function read(value: object, face: InputSource = 'body', of: new () => object = Sample): object | string[] {
  try {
    const input = { ...readInput(of, value, face) };
    const { sortOrder: _sort, limit: _limit, offset: _offset, ...rest } = input as Record<string, unknown>;
    return rest;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.fields.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  }
}

const MOMENT = 'must be an ISO 8601 date-time, such as 2026-03-02T09:00:00Z';
const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';

test.each<[string, object, InputSource, object]>([
  ['a date', { created_after: '2026-03-02' }, 'query', { createdAfter: new Date('2026-03-02') }],
  ['a DateTime', { createdAfter: new Date(5) }, 'graphql', { createdAfter: new Date(5) }],
  [
    'what DateTime could not read',
    { createdAfter: '2026-03-02T09:00' },
    'graphql',
    [`createdAfter ${MOMENT}`],
  ],
  ['no moment', { created_after: 'soon' }, 'body', [`created_after ${MOMENT}`]],
  ['no moment at all', { created_after: 7 }, 'body', [`created_after ${MOMENT}`]],
  ['a moment that no clock shows', { created_after: '2026-02-30' }, 'body', [`created_after ${MOMENT}`]],
  ['an id', { flow_id: ID.toUpperCase() }, 'body', { flowId: ID.toUpperCase() }],
  ['no id', { flowId: 'x' }, 'graphql', ['flowId must be a UUID']],
  ['what no record can hold', { part_of: 'a\0' }, 'query', { partOf: 'a\0' }],
  ['three emoji', { part_of: '😀😀😀' }, 'query', { partOf: '😀😀😀' }],
  ['four', { part_of: '😀😀😀😀' }, 'query', ['part_of must be at most 3 characters long']],
  ['one asked twice', { part_of: ['a', 'b'] }, 'query', ['part_of must be a string']],
  ['anything', { date_range: ['a', 7] }, 'query', { dateRange: ['a', 7] }],
  ['a reader of its own', { own_reader: 1 }, 'body', { ownReader: 'one' }],
  ['its refusal', { ownReader: 2 }, 'graphql', ['ownReader must be 1']],
  ['no upper bound', { at_least_two: 1 }, 'body', ['at_least_two must be at least 2']],
])('%s', (_name, value, face, outcome) => expect(read(value, face)).toEqual(outcome));

test('JSON of GraphQL is in the names of REST, an input inside in its own', () => {
  const written = { writtenInside: { inner_name: 1 }, facedInside: { innerName: 1 } };
  expect(read(written, 'graphql')).toEqual([
    'writtenInside.inner_name must be a string',
    'facedInside.innerName must be a string',
  ]);
  expect(read({ writtenInside: { innerName: 'x' } }, 'graphql')).toEqual([
    'writtenInside.innerName is not a known field',
  ]);
});

test('what is left out, or null where that is as much, has its fallback', () => {
  expect({ ...readInput(Sample, {}, 'query') }).toEqual({ sortOrder: 'up', limit: 50, offset: 0 });
  const given = { sort_order: null, limit: '3', offset: '4' };
  expect({ ...readInput(Sample, given, 'query') }).toEqual({ sortOrder: 'up', limit: 3, offset: 4 });
});

test('the page of REST has its bounds', () => {
  const wrong = { limit: '0', offset: '2147483648' };
  expect(read(wrong, 'query')).toEqual([
    'limit must be between 1 and 200',
    'offset must be between 0 and 2147483647',
  ]);
});

test('arguments take null for none, and are not those of the class they are based on', () => {
  expect(read({ first: null, innerName: null }, 'graphql', SampleArgs)).toEqual({ first: 7 });
  expect(tableOf(SampleArgs.prototype).rules.areArguments).toBe(true);
  expect(tableOf(Inner.prototype).rules.areArguments).toBe(false);
});

test('a field that is said again is said once', () => {
  expect({ ...readInput(PageArgs, {}, 'graphql') }).toEqual({ first: 25 });
  expect({ ...readInput(NestedPageArgs, {}, 'graphql') }).toEqual({ first: 10 });
  expect(read({ first: 101 }, 'graphql', NestedPageArgs)).toEqual(['first must be between 1 and 100']);
});
