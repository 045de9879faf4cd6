/** The workers of docker/compose.yml work on every queue, each on its own ones, or what is in a queue waits for ever. */
import { readFileSync } from 'node:fs';
import { QUEUES } from '../../src/processes/worker-catalogue.js';

test('every queue has its worker', () => {
  const compose = readFileSync('docker/compose.yml', 'utf8');
  const named = [...compose.matchAll(/--queues=([\w,-]+)/g)].flatMap(([, queues = '']) => queues.split(','));
  expect(named.toSorted()).toEqual([...QUEUES].toSorted());
});
