/** The result of preflight in REST (section 4.3) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { PREFLIGHT_SEVERITIES } from '../domain/preflight/preflight-answer.js';
import { FINDING_CODES } from '../domain/rules/catalogue.js';
import { PREFLIGHT_CATEGORIES } from '../domain/rules/rule.js';

@Output({ rest: 'PreflightItemResponse', graphql: 'PreflightItem', description: 'A preflight finding.' })
class PreflightItemOutput {
  @Out(oneOf(PREFLIGHT_CATEGORIES), {
    example: 'links',
    description: 'content, links, images, domain or accessibility',
  })
  category: string;
  @Out('String', { example: 'The link “href="/shop"” is relative, which does not work in an email.' })
  message: string;
  @Out(oneOf(PREFLIGHT_SEVERITIES), { example: 'error', description: 'error, warning or info' })
  severity: string;
  @Out(oneOf(FINDING_CODES), { example: 'LK003', description: 'A stable code. New codes may be added.' })
  code: string;
  @Out('Int', {
    nullable: true,
    example: 7,
    description: 'Line in the body, starting at 1. Null if there is no position.',
  })
  line: number | null;
  @Out('Int', { nullable: true, example: 4 }) column: number | null;
  @Out('String', {
    example: 'Use the full address, starting with https://.',
    description: 'How to fix it.',
  })
  hint: string;
}

@Output({ rest: 'PreflightResponse', graphql: 'Preflight' })
export class PreflightOutput {
  @Out('Boolean', { description: 'True if there are no errors.' }) pass: boolean;
  @Out([PreflightItemOutput]) errors: readonly PreflightItemOutput[];
  @Out([PreflightItemOutput]) warnings: readonly PreflightItemOutput[];
  @Out([PreflightItemOutput]) info: readonly PreflightItemOutput[];
}
