import { chosenTransports } from './chosen-transports.js';

const ALL = ['smtp', 'backup', 'api'].map((name) => ({ name }));
const names = (chosen?: string[], environment: 'live' | 'test' = 'live') =>
  chosenTransports(ALL, environment, chosen).map(({ name }) => name);

test('a workspace’s choice and no other, in its order; the operator’s where there is none', () => {
  expect(names()).toEqual(['smtp', 'backup', 'api']);
  expect(names([])).toEqual(['smtp', 'backup', 'api']);
  expect(names(['api', 'smtp'])).toEqual(['api', 'smtp']);
});

test('names that are gone count for nothing', () => {
  expect(names(['gone', 'api'])).toEqual(['api']);
  expect(names(['gone'])).toEqual(['smtp', 'backup', 'api']);
});

test('the test environment has its own, whatever is chosen', () =>
  expect(names(['api'], 'test')).toEqual(['smtp', 'backup', 'api']));
