import { placeOf } from './graphql-errors.js';

test('a fault is logged with the operation and the path to its field', () => {
  expect(placeOf({ path: ['contacts', 'edges', 3, 'node'] }, 'ListContacts')).toEqual({
    operation: 'ListContacts',
    path: 'contacts.edges.3.node',
  });
});

test('what is no short name stays out, and what is without end is cut', () => {
  const long = 'a'.repeat(65);
  expect(placeOf({ path: [long, 0, 'ada@example.com'] }, long)).toEqual({ path: '….0.…' });
  expect(placeOf({ path: ['a'] }, 'ada@example.com')).toEqual({ path: 'a' });
  expect(placeOf({ path: Array<string>(1_000).fill('a') }, null).path).toHaveLength(31);
  expect(placeOf({}, undefined)).toEqual({ path: '' });
});
