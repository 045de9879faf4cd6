/**
 * Zero-width characters that HTML uses for its own purposes: positions where a word may break, fillers after a
 * preheader, separators in an address that prevent programs from linking it. Joiners stay where they shape letters or
 * emoji.
 */
const INVISIBLE = /[\u00ad\u034f\u180e\u200b\u2060\ufeff]/g;
const SHAPED = '(?!\\p{Script=Latin})[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]';
const USELESS_JOINERS = new RegExp(`(?<!${SHAPED})[\\u200c\\u200d]+|[\\u200c\\u200d]+(?!${SHAPED})`, 'gu');

/** Returns a text without the characters that are invisible and shape nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(USELESS_JOINERS, '');
}
