import { JobRegistry } from './job-registry.js';

const registry = (...jobs: string[]): JobRegistry => {
  const made = new JobRegistry();
  for (const job of jobs) made.register(job, `${job}Processor`);
  return made;
};

test('every job has its processor: the process may start', () => {
  expect(() => registry('a', 'b').check(['b', 'a'])).not.toThrow();
});

test.each<[string, () => void, RegExp]>([
  ['a job without a processor', () => registry('a').check(['a', 'b']), /without a processor: b/],
  ['a processor of an unknown job', () => registry('a', 'c').check(['a']), /not in the catalogue: c/],
  ['a job with two processors', () => registry('a', 'a'), /two processors: aProcessor and aProcessor/],
])('%s keeps the process from starting', (_, start, reason) => {
  expect(start).toThrow(reason);
});
