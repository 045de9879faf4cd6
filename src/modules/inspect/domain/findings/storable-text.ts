/** Text as the database keeps it (section 4.7): what a message says may hold characters that no stored text has. */

/** The text with a sign for each character that cannot be stored: NUL, and half of a pair of surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** A value as JSON whose texts can all be stored. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
