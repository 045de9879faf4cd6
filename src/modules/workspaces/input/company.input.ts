/** Input for the company, as named in the footer of commercial mail; omitted members do not change, null removes. */
import { Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { MAX_COMPANY_LINE_LENGTH, type CompanyChange } from '../domain/workspace.js';

const LINE = {
  optional: true,
  nullable: true,
  max: MAX_COMPANY_LINE_LENGTH,
  check: (text: string) => (text.trim() === '' || /\p{Cc}/u.test(text) ? 'is no line of text' : undefined),
  message: `must be a single line of 1 to ${MAX_COMPANY_LINE_LENGTH} characters`,
} as const;

@Input({ graphql: 'CompanyInput' })
export class CompanyInput implements CompanyChange {
  @Text(LINE) name?: string | null;
  @Text(LINE) addressLine1?: string | null;
  @Text(LINE) addressLine2?: string | null;
  @Text(LINE) city?: string | null;
  @Text(LINE) region?: string | null;
  @Text(LINE) postalCode?: string | null;
  @Text({ ...LINE, description: 'The country as it appears in a postal address.' }) country?: string | null;
}
