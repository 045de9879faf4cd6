import { DomainError } from '../../../kernel/domain-error.js';
import { BatchTooLargeError, failureOf, reasonWhenExhausted, WorkerDiedError } from './failure.js';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });
const kindOf = (error: unknown): string => {
  const failure = failureOf(error);
  return failure.kind === 'lasting' ? failure.code : failure.kind;
};

test.each([
  [new RangeError('Invalid string length'), 'value_too_large'],
  [new TypeError('x is not a function'), 'product_fault'],
  [new ReferenceError('x'), 'product_fault'],
  [new SyntaxError('Unexpected end of JSON input'), 'value_refused'],
  [new WorkerDiedError(), 'worker_died'],
  [new DomainError('invalid_filter_operator', 'x'), 'refused_by_rules'],
  [coded('22P02'), 'value_refused'],
  [coded('22021'), 'value_refused'],
  [coded('P0001'), 'value_refused'],
  [coded('23505'), 'value_conflicts'],
  [coded('21000'), 'value_conflicts'],
  [coded('54000'), 'value_too_large'],
  [coded('54001'), 'value_too_large'],
])('%s lasts: %s', (error, expected) => {
  expect(kindOf(error)).toBe(expected);
});

test.each([
  [coded('40001'), 'passing'],
  [coded('40P01'), 'passing'],
  [coded('55P03'), 'passing'],
  [coded('42703'), 'passing'],
  [new Error('nobody foresaw this'), 'passing'],
  ['no error at all', 'passing'],
  [coded('57014'), 'large'],
  [coded('53200'), 'large'],
  [new BatchTooLargeError(), 'large'],
  [coded('53300'), 'unreachable'],
  [coded('53100'), 'unreachable'],
  [coded('58030'), 'unreachable'],
  [coded('25006'), 'unreachable'],
  [coded('57P01'), 'unreachable'],
  [coded('08006'), 'unreachable'],
  [coded('ECONNREFUSED'), 'unreachable'],
])('%s does not: %s', (error, expected) => {
  expect(kindOf(error)).toBe(expected);
});

test('an error that lost its connection with its rollback counts by its cause', () => {
  const cause = coded('22P02');
  expect(kindOf(new AggregateError([cause, new Error('rollback')], 'both', { cause }))).toBe('value_refused');
});

test('what patience ended with has a reason of its own', () => {
  expect(reasonWhenExhausted(coded('57014'))).toBe('took_too_long');
  expect(reasonWhenExhausted(coded('40001'))).toBe('kept_failing');
});
