/** Decodes the escapes in a part of an address; returns it as written if they are not valid text. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
