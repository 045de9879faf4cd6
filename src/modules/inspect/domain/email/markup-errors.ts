/** What an HTML parser complains of, in words for an author; what browsers all mend alike is not told. */
import type { ParserError } from 'parse5';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';

const unfinished = (message: string) => ['markup_unfinished', message] as const;
const malformed = (message: string) => ['markup_malformed', message] as const;

/** By the names of the HTML standard. */
const ERRORS: Readonly<Record<string, readonly [RuleName, string]>> = {
  'eof-in-tag': unfinished('A tag is not finished: its closing bracket is missing.'),
  'eof-in-comment': unfinished('A comment is not finished: its --> is missing.'),
  'eof-before-tag-name': unfinished('The body ends with an opening bracket.'),
  'unknown-named-character-reference': ['entity_unknown', 'A name behind & is that of no character.'],
  'duplicate-attribute': ['attribute_twice', 'An attribute stands twice in one tag.'],
  'unexpected-character-in-attribute-name': malformed(
    'A quote or bracket stands in the name of an attribute.',
  ),
  'unexpected-equals-sign-before-attribute-name': malformed(
    'An equals sign stands where the name of an attribute begins.',
  ),
  'unexpected-character-in-unquoted-attribute-value': malformed(
    'An attribute without quotes holds a quote or bracket.',
  ),
  'missing-attribute-value': malformed('An attribute has no value behind its equals sign.'),
  'invalid-first-character-of-tag-name': malformed('A bracket opens a tag that has no name.'),
  'missing-end-tag-name': malformed('A closing tag has no name.'),
  'end-tag-with-attributes': malformed('A closing tag has attributes.'),
  'incorrectly-closed-comment': malformed('A comment ends with --!> in place of -->.'),
};

export function markupFinding({ code, startOffset }: ParserError): RuleFinding[] {
  const known = ERRORS[code];
  return known ? [{ rule: known[0], message: known[1], at: startOffset }] : [];
}
