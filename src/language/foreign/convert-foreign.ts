/**
 * Converts templates of other platforms to NLT. An expression without a counterpart becomes a placeholder in
 * guillemets, which blocks sending until an author replaces it; parts that a message does not need are dropped, with a
 * warning.
 */
import type { ForeignField, ForeignSource, ForeignText, ForeignWarning } from './foreign-source.js';
import { convertKlaviyo } from './klaviyo.js';
import { convertLiquid } from './liquid.js';
import { convertMailchimp } from './mailchimp.js';

/** A template of another platform; `subject` may be missing. */
export interface ForeignTemplate {
  readonly source: ForeignSource;
  readonly subject: string | null;
  readonly body: string;
}

export interface ForeignConversion {
  readonly subject: string | null;
  readonly body: string;
  /** Warnings of the subject first, then in the order of the source. */
  readonly warnings: readonly ForeignWarning[];
}

/** Converts one text; for a body, `subject` is the converted subject. */
type Converter = (source: string, field: ForeignField, subject: ForeignText | null) => ForeignText;

const CONVERTERS: Readonly<Record<ForeignSource, Converter>> = {
  mailchimp: convertMailchimp,
  klaviyo: convertKlaviyo,
  liquid: convertLiquid,
};

/** Converts a template; time is linear in its length. Never throws. */
export function convertForeign({ source, subject, body }: ForeignTemplate): ForeignConversion {
  const convert = CONVERTERS[source];
  const subjectText = subject === null ? null : convert(subject, 'subject', null);
  const bodyText = convert(body, 'body', subjectText);
  return {
    subject: subjectText?.content ?? null,
    body: bodyText.content,
    warnings: [...(subjectText?.warnings ?? []), ...bodyText.warnings],
  };
}
