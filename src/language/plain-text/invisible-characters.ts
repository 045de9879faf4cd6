/**
 * Characters without width, which HTML has for its own ends: places where a word may break, fillers behind a preheader,
 * parts of an address that no program should make a link of. Joiners stay where they shape letters or emoji.
 */
const INVISIBLE = /[\u00ad\u034f\u180e\u200b\u2060\ufeff]/g;
const SHAPED = '(?!\\p{Script=Latin})[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]';
const USELESS_JOINERS = new RegExp(`(?<!${SHAPED})[\\u200c\\u200d]+|[\\u200c\\u200d]+(?!${SHAPED})`, 'gu');

/** A text without the characters that nobody sees and that shape nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(USELESS_JOINERS, '');
}
