/** Which messages the dashboard lists. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, Uuid } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { EMAIL_LOG_STATUSES, type EmailLogStatus } from '../domain/email-log-transitions.js';

export const EmailLogStatusEnum = graphqlEnum(
  'EmailLogStatus',
  EMAIL_LOG_STATUSES,
  'What has become of a message.',
);

@Input({ graphql: 'EmailLogFilter' }, { nullIsAbsent: true })
export class EmailLogFilterInput {
  @OneOf(EMAIL_LOG_STATUSES, { optional: true, enumType: EmailLogStatusEnum }) status?: EmailLogStatus;
  @Uuid({ optional: true }) flowId?: string;
  @Uuid({ optional: true }) contactId?: string;
}

@Arguments()
export class EmailLogsArgs extends PageArgs {
  @Nested(EmailLogFilterInput, { optional: true }) filter?: EmailLogFilterInput;
}
