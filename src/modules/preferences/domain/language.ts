/** The languages in which people are written to by the product itself: on its public pages and in the footer of mail. */

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

const DEFAULT_LANGUAGE: Language = 'en';
/** Of a longer header the rest is not looked at. */
const LONGEST_HEADER = 1_000;

/** The language of a locale such as `de-AT` or `pt_BR`; undefined for one that the product does not speak. */
export function languageOf(locale: string | null | undefined): Language | undefined {
  const [primary = ''] = (locale ?? '').trim().toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.find((language) => language === primary);
}

/**
 * The language for a person: that of the contact's locale, else the one that the browser likes best, else English.
 * @param accepted the header Accept-Language, RFC 9110.
 */
export function languageFor(locale: string | null, accepted: string | undefined): Language {
  return languageOf(locale) ?? bestAccepted(accepted ?? '') ?? DEFAULT_LANGUAGE;
}

function bestAccepted(header: string): Language | undefined {
  let best: { readonly language: Language; readonly quality: number } | undefined;
  for (const range of header.slice(0, LONGEST_HEADER).split(',')) {
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
