/** The languages of the product's own texts for recipients: on its public pages and in the footer of mail. */

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

const DEFAULT_LANGUAGE: Language = 'en';
/** The rest of a longer header is ignored. */
const MAX_HEADER_LENGTH = 1_000;

/** The language of a locale such as `de-AT` or `pt_BR`; undefined if it is not supported. */
export function languageOf(locale: string | null | undefined): Language | undefined {
  const [primary = ''] = (locale ?? '').trim().toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.find((language) => language === primary);
}

/**
 * The language for a person: that of the contact's locale, or else the one that the browser prefers, or else English.
 * @param accepted the header Accept-Language, RFC 9110.
 */
export function languageFor(locale: string | null, accepted: string | undefined): Language {
  return languageOf(locale) ?? bestAccepted(accepted ?? '') ?? DEFAULT_LANGUAGE;
}

function bestAccepted(header: string): Language | undefined {
  let best: { readonly language: Language; readonly quality: number } | undefined;
  for (const range of header.slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = languageOf(tag);
    const quality = qualityIn(parameters);
    if (language && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language;
}

function qualityIn(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => /^\s*q=/i.test(parameter));
  return written === undefined ? 1 : Number.parseFloat(written.slice(written.indexOf('=') + 1)) || 0;
}
