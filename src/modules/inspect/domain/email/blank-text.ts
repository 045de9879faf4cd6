/** Text of which nobody sees anything: blanks, controls, and characters that are not drawn. */

/** Besides blanks: what Unicode says is not drawn by itself, fillers among it, and the Braille pattern without a dot. */
const UNSEEN = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function isBlank(text: string): boolean {
  return text.replaceAll(UNSEEN, '') === '';
}
