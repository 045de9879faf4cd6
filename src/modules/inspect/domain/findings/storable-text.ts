/** Makes text storable (section 4.7): a message may contain characters that the database cannot store. */

/** The text with U+FFFD for each character that cannot be stored: NUL, and unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** A value as JSON in which every text can be stored. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
