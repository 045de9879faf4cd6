/**
 * Invisible marks in the plain-text version of a template (`body_text`, section 2.7). The version is generated from
 * HTML, where an entity may encode a brace that is text, and where values in links are encoded; plain text can express
 * neither. Invisible characters mark both, and the compiler removes them: no reader receives one.
 */

/** After a brace: the brace is text, regardless of what follows. No expression starts with it. */
export const TEXT_BRACE = '\u2063';

/** Around the address of a link that contains expressions. */
export const ADDRESS_START = '\u2061';
export const ADDRESS_END = '\u2064';

const MARK_PATTERN = /[\u2061\u2063\u2064]/g;
const ADDRESS_EDGE_PATTERN = /([\u2061\u2064])/;

/** The text without characters that would be taken for marks. */
export function withoutMarks(text: string): string {
  return text.replace(MARK_PATTERN, '');
}

/** Splits the text between two expressions into visible text and, as separate pieces, the boundaries of addresses. */
export function markedPieces(text: string): readonly string[] {
  return text.replaceAll(`{${TEXT_BRACE}`, '{').split(ADDRESS_EDGE_PATTERN);
}
