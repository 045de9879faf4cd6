/**
 * Translates the errors of the HTML parser into messages for an author. Errors that all browsers repair alike are not
 * reported.
 */
import type { ParserError } from 'parse5';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';

const unfinished = (message: string) => ['markup_unfinished', message] as const;
const malformed = (message: string) => ['markup_malformed', message] as const;

/** By the error names of the HTML standard. */
const ERRORS: Readonly<Record<string, readonly [RuleName, string]>> = {
  'eof-in-tag': unfinished('A tag is unterminated: its closing bracket is missing.'),
  'eof-in-comment': unfinished('A comment is unterminated: its --> is missing.'),
  'eof-before-tag-name': unfinished('The body ends with an opening bracket.'),
  'unknown-named-character-reference': ['entity_unknown', 'An entity is unknown.'],
  'duplicate-attribute': ['attribute_twice', 'An attribute occurs twice in one tag.'],
  'unexpected-character-in-attribute-name': malformed('An attribute name contains a quote or bracket.'),
  'unexpected-equals-sign-before-attribute-name': malformed('An attribute name starts with an equals sign.'),
  'unexpected-character-in-unquoted-attribute-value': malformed(
    'An unquoted attribute value contains a quote or bracket.',
  ),
  'missing-attribute-value': malformed('An attribute has no value after its equals sign.'),
  'invalid-first-character-of-tag-name': malformed('A bracket opens a tag without a name.'),
  'missing-end-tag-name': malformed('A closing tag has no name.'),
  'end-tag-with-attributes': malformed('A closing tag has attributes.'),
  'incorrectly-closed-comment': malformed('A comment ends with --!> instead of -->.'),
};

export function markupFinding({ code, startOffset }: ParserError): RuleFinding[] {
  const known = ERRORS[code];
  return known ? [{ rule: known[0], message: known[1], at: startOffset }] : [];
}
