import { LARGEST_MERGED_PROPERTIES, MOST_MERGED_TAGS, outgrown } from './contact-bounds.js';
import { newContact, type Contact } from './contact.js';

const contact = newContact('0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', 'u1', new Date(0));
/** `{"a":"…"}` of so many bytes. */
const properties = (bytes: number, letter = 'x'): Contact['properties'] => ({
  a: letter.repeat((bytes - 8) / Buffer.byteLength(letter)),
});

test.each<[string, Partial<Contact>, string | undefined]>([
  ['an empty contact', {}, undefined],
  ['as many properties as may be', { properties: properties(LARGEST_MERGED_PROPERTIES) }, undefined],
  ['one byte more', { properties: properties(LARGEST_MERGED_PROPERTIES + 1) }, 'properties'],
  [
    'bytes, and not letters, count',
    { properties: properties(LARGEST_MERGED_PROPERTIES + 2, 'ü') },
    'properties',
  ],
  ['as many tags as may be', { tags: Array.from({ length: MOST_MERGED_TAGS }, String) }, undefined],
  ['one tag more', { tags: Array.from({ length: MOST_MERGED_TAGS + 1 }, String) }, 'tags'],
])('%s: outgrown is %j', (_, more, field) => {
  expect(outgrown({ ...contact, ...more })?.field).toBe(field);
});
