import {
  MAX_MERGED_PROPERTIES_BYTES,
  MAX_MERGED_TAGS,
  exceededLimit,
  type ContactSize,
} from './contact-size.js';

test.each<[string, Partial<ContactSize>, string | undefined]>([
  ['nothing', {}, undefined],
  ['as many properties as may be', { bytes: MAX_MERGED_PROPERTIES_BYTES }, undefined],
  ['one byte more', { bytes: MAX_MERGED_PROPERTIES_BYTES + 1 }, 'properties'],
  ['as many tags as may be', { tags: MAX_MERGED_TAGS }, undefined],
  ['one tag more', { tags: MAX_MERGED_TAGS + 1 }, 'tags'],
])('%s: outgrown is %j', (_, size, field) => {
  expect(exceededLimit({ tags: 0, bytes: 1, ...size })?.field).toBe(field);
});
