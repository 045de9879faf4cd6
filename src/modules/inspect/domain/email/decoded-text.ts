/** A part of an address without its escapes; as it is written where they make no text. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
