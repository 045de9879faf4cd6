import 'reflect-metadata';
import { DomainError } from '../../kernel/domain-error.js';
import { Email, Flag, Json, OneOf, Text, Texts, Uuids, Integer } from './fields.js';
import { Input } from './input-class.js';
import { isInputClass, type InputSource, type InputClass } from './input-table.js';
import { readInput } from './read-input.js';

@Input({}, { nullIsAbsent: true, mayBeAbsent: true })
class Sample {
  @Text({ min: 1, max: 3 }) shortName: string;
  @Email({ optional: true }) replyTo?: string;
  @OneOf(['a', 'b'], { optional: true, nullable: true }) kindOfThing?: string | null;
  @Flag({ optional: true }) isActive?: boolean;
  @Integer({ optional: true, min: 1, max: 9 }) perPage?: number;
  @Json({ optional: true }) document?: object;
  @Texts({ optional: true, check: (texts) => (texts.length > 2 ? 'must be at most 2' : undefined) })
  tags?: readonly string[];
  @Text({ optional: true, only: 'rest' }) oldName?: string;
}

@Input({}, { unknownField: (name) => `is not ${name}` })
class Longer extends Sample {
  @Flag() extraFlag: boolean;
}

/** Code, fields and messages of the error, such as `invalid_field short_name: must be a string`. */
function refusalOf(inputClass: InputClass, value: unknown, face: InputSource): string {
  try {
    readInput(inputClass, value, face);
    return 'none';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const reported = (error.fields.errors ?? []).map(({ field, message }) => `${field} ${message}`);
    return [error.code, ...reported].join('; ');
  }
}

test('REST writes snake_case, GraphQL camelCase, and both give the same', () => {
  const read = { shortName: 'x', kindOfThing: null, perPage: 5, document: { some_key: 1 } };
  const written = { short_name: 'x', kind_of_thing: null, per_page: 5, document: { some_key: 1 } };
  expect({ ...readInput(Sample, written, 'body') }).toEqual(read);
  const { kindOfThing: _absent, ...withoutNull } = read;
  expect({ ...readInput(Sample, read, 'graphql') }).toEqual(withoutNull);
});

test.each<[string, object, InputSource, string]>([
  ['empty', { short_name: '' }, 'body', 'invalid_field; short_name must not be empty'],
  ['too long', { short_name: 'long' }, 'body', 'invalid_field; short_name must be 1 to 3 characters long'],
  ['too long', { shortName: 'long' }, 'graphql', 'invalid_field; shortName must be 1 to 3 characters long'],
  [
    'the other spelling',
    { shortName: 'x' },
    'body',
    'invalid_field; shortName is not a known field; short_name is required',
  ],
  ['a null of REST', { short_name: null }, 'body', 'invalid_field; short_name must be a string'],
  ['a missing field', {}, 'graphql', 'validation_error; shortName is required'],
  [
    'a null of GraphQL, which is none',
    { shortName: null },
    'graphql',
    'validation_error; shortName is required',
  ],
  [
    'a malformed email',
    { short_name: 'x', reply_to: 'x' },
    'body',
    'invalid_email; reply_to must be an email address',
  ],
  [
    'an email that is no text',
    { short_name: 'x', reply_to: 1 },
    'body',
    'invalid_field; reply_to must be an email address',
  ],
  [
    'no choice',
    { short_name: 'x', kind_of_thing: 'c' },
    'body',
    'invalid_field; kind_of_thing must be one of a, b',
  ],
  [
    'a list for an object',
    { short_name: 'x', document: [] },
    'body',
    'invalid_field; document must be an object',
  ],
  [
    'its own check',
    { short_name: 'x', tags: ['1', '2', '3'] },
    'body',
    'invalid_field; tags must be at most 2',
  ],
  ['half a number', { short_name: 'x', per_page: 1.5 }, 'body', 'invalid_field; per_page must be an integer'],
  [
    'a number that is text',
    { short_name: 'x', per_page: '5' },
    'body',
    'invalid_field; per_page must be an integer',
  ],
  ['a number of an address', { short_name: 'x', per_page: '5' }, 'query', 'none'],
  [
    'a number of an address beyond',
    { short_name: 'x', per_page: '10' },
    'query',
    'invalid_field; per_page must be between 1 and 9',
  ],
  [
    'no number of an address',
    { short_name: 'x', per_page: '' },
    'query',
    'invalid_field; per_page must be an integer',
  ],
  ['a field of REST alone', { short_name: 'x', old_name: 'y' }, 'body', 'none'],
  [
    'a field of REST alone',
    { shortName: 'x', oldName: 'y' },
    'graphql',
    'invalid_field; oldName is not a known field',
  ],
  [
    'a name of every object',
    { short_name: 'x', constructor: 1 },
    'body',
    'invalid_field; constructor is not a known field',
  ],
  [
    'all at once, as they were written',
    { is_active: 1, colour: 2, short_name: 3 },
    'body',
    'invalid_field; is_active must be true or false; colour is not a known field; short_name must be a string',
  ],
])('%s: %j from %s is %s', (_name, value, face, refusal) => {
  expect(refusalOf(Sample, value, face)).toBe(refusal);
});

test.each([[[]], ['x'], [null], [7]])('%j is no input', (value) => {
  expect(refusalOf(Sample, value, 'body')).toBe('validation_error');
});

test('no body at all is an empty one where that is allowed', () => {
  expect(refusalOf(Sample, undefined, 'body')).toBe('validation_error; short_name is required');
});

test('a class has the fields and the rules of its base, and its own', () => {
  expect(refusalOf(Longer, { short_name: 'x' }, 'body')).toBe('validation_error; extra_flag is required');
  expect(refusalOf(Longer, { short_name: 'x', extra_flag: true, odd: 1 }, 'body')).toBe(
    'invalid_field; odd is not odd',
  );
  expect(refusalOf(Sample, { short_name: 'x', extra_flag: true }, 'body')).toMatch(
    /^invalid_field; extra_flag/,
  );
  expect([isInputClass(Longer), isInputClass(Object), isInputClass(undefined)]).toEqual([true, false, false]);
});

test('a body of a million wrong fields is told of a hundred', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]));
  expect(refusalOf(Sample, { short_name: 'x', ...many }, 'body').split('; ')).toHaveLength(101);
});

@Input({})
class Listing {
  @OneOf(['one', 'other']) kind: string;
  @Uuids({ min: 1, max: 2 }) ids: readonly string[];
}

test.each([
  ['alone', { kind: 'one', ids: [] }, 'too_short; ids must contain 1 to 2 items'],
  [
    'with what is wrong, wherever it stands',
    { kind: 'none', ids: ['x', 'x', 'x'] },
    'too_long; kind must be one of one, other; ids must contain 1 to 2 items',
  ],
  ['with what is missing', { ids: [] }, 'too_short; ids must contain 1 to 2 items; kind is required'],
  [
    'with what is unknown',
    { odd: 1, kind: 'one', ids: [] },
    'too_short; odd is not a known field; ids must contain 1 to 2 items',
  ],
])('a code of its own leads, %s', (_name, value, refusal) => {
  expect(refusalOf(Listing, value, 'body')).toBe(refusal);
});
