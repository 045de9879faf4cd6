import { LARGEST_MERGED_PROPERTIES, MOST_MERGED_TAGS, outgrown, type Size } from './contact-bounds.js';

test.each<[string, Partial<Size>, string | undefined]>([
  ['nothing', {}, undefined],
  ['as many properties as may be', { bytes: LARGEST_MERGED_PROPERTIES }, undefined],
  ['one byte more', { bytes: LARGEST_MERGED_PROPERTIES + 1 }, 'properties'],
  ['as many tags as may be', { tags: MOST_MERGED_TAGS }, undefined],
  ['one tag more', { tags: MOST_MERGED_TAGS + 1 }, 'tags'],
])('%s: outgrown is %j', (_, size, field) => {
  expect(outgrown({ tags: 0, bytes: 1, ...size })?.field).toBe(field);
});
