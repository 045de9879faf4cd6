import { Utf8Check } from './file-writer.js';

const WHOLE = Buffer.from('aé€😀z');

test.each([
  ['all kinds of characters', WHOLE, true],
  ['nothing', Buffer.alloc(0), true],
  ['a byte of Latin-1 at the end', Buffer.concat([WHOLE, Buffer.from([0xe9])]), false],
  ['a byte of Latin-1 in the midst', Buffer.concat([WHOLE, Buffer.from([0xe9]), WHOLE]), false],
  ['a character that is cut off', WHOLE.subarray(0, WHOLE.length - 2), false],
  ['half of a pair', Buffer.from([0xed, 0xa0, 0x80]), false],
  ['the rest of a character alone', Buffer.from([0x80]), false],
])('%s, wherever it is cut', (_, bytes, expected) => {
  for (let size = 1; size <= 5; size++) {
    const check = new Utf8Check();
    for (let at = 0; at < bytes.length; at += size) check.add(bytes.subarray(at, at + size));
    expect(check.end()).toBe(expected);
  }
});
