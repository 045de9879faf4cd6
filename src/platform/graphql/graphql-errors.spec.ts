import { errorLocation } from './graphql-errors.js';

test('a fault is logged with the operation and the path to its field', () => {
  expect(errorLocation({ path: ['contacts', 'edges', 3, 'node'] }, 'ListContacts')).toEqual({
    operation: 'ListContacts',
    path: 'contacts.edges.3.node',
  });
});

test('what is no short name stays out, and what is without end is cut', () => {
  const long = 'a'.repeat(65);
  expect(errorLocation({ path: [long, 0, 'ada@example.com'] }, long)).toEqual({ path: '….0.…' });
  expect(errorLocation({ path: ['a'] }, 'ada@example.com')).toEqual({ path: 'a' });
  expect(errorLocation({ path: Array<string>(1_000).fill('a') }, null).path).toHaveLength(31);
  expect(errorLocation({}, undefined)).toEqual({ path: '' });
});
