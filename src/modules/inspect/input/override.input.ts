/** Input for creating overrides, and for using them in requests that send templates (section 4.7). */
import { SearchText, Text, Texts } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { REASON_LENGTH } from '../domain/gate/override.js';

/** Every token is shorter; a longer text is none. */
const MAX_TOKEN_LENGTH = 255;
/** Maximum number of tokens in one request: one for each template. */
const MAX_TOKENS = 50;
const TOKEN =
  'Returned by POST /v1/inspect/override: allows a version to be sent despite its critical findings.';

/** Blanks around a reason do not count. */
function reasonProblem(text: string): string | undefined {
  const { min } = REASON_LENGTH;
  return text.trim().length < min
    ? `must have at least ${min} characters, not counting leading and trailing white space`
    : undefined;
}

@Input({ rest: 'InspectOverrideBody', graphql: 'CreateInspectOverrideInput' })
export class InspectOverrideInput {
  @Text({ min: 1, max: 255, example: 'welcome' }) templateSlug: string;

  @Text({
    ...REASON_LENGTH,
    check: reasonProblem,
    example: 'The address is intentionally private: all readers are on our own network.',
    description: 'Why the template should be sent anyway. Recorded in the audit log.',
  })
  reason: string;
}

@Input({ rest: 'PreSendCheckBody' })
export class PreSendCheckInput {
  @Text({ min: 1, max: 255, example: 'welcome' }) templateSlug: string;

  @SearchText({ optional: true, nullable: 'absent', max: MAX_TOKEN_LENGTH, description: TOKEN })
  overrideToken?: string;
}

@Arguments()
export class PreSendCheckArgs extends PreSendCheckInput {}

/** The additional fields of requests that send templates. */
@Input({ rest: 'OverrideTokensFields' }, { mayBeAbsent: true })
export class OverrideTokensInput {
  @SearchText({ optional: true, nullable: 'absent', max: MAX_TOKEN_LENGTH, description: TOKEN })
  overrideToken?: string;

  @Texts({
    optional: true,
    nullable: 'absent',
    max: MAX_TOKENS,
    check: (tokens) =>
      tokens.every((token) => token.length <= MAX_TOKEN_LENGTH)
        ? undefined
        : `must contain strings of at most ${MAX_TOKEN_LENGTH} characters`,
    description: 'One for each template, if several are sent.',
  })
  overrideTokens?: readonly string[];
}

/** All tokens of a request. */
export function tokensOf({ overrideToken, overrideTokens = [] }: OverrideTokensInput): string[] {
  return overrideToken === undefined ? [...overrideTokens] : [overrideToken, ...overrideTokens];
}
