/** Decides whether text is invisible: white space, control characters, and characters that are not drawn. */

/**
 * Besides white space: the characters that Unicode calls default-ignorable, including fillers, and the empty Braille
 * pattern.
 */
const INVISIBLE = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function isBlank(text: string): boolean {
  return text.replaceAll(INVISIBLE, '') === '';
}
