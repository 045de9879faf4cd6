/**
 * What the plain-text version of a template (`body_text`, section 2.7) says besides its letters. It is made from HTML,
 * where an entity may write a brace that is text and where values in links are encoded; neither can be seen in plain
 * text. Characters that nobody sees say it, and whoever compiles the text takes them away: no reader gets one.
 */

/** Behind a brace: it is text, whatever follows. No expression begins with it. */
export const TEXT_BRACE = '\u2063';

/** Around the address of a link that holds expressions. */
export const ADDRESS_START = '\u2061';
export const ADDRESS_END = '\u2064';

const MARKS = /[\u2061\u2063\u2064]/g;
const EDGES = /([\u2061\u2064])/;

/** The text without characters that would be taken for marks. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Cuts the text between two expressions into what is shown and, as pieces of their own, the edges of addresses. */
export function markedPieces(text: string): readonly string[] {
  return text.replaceAll(`{${TEXT_BRACE}`, '{').split(EDGES);
}
