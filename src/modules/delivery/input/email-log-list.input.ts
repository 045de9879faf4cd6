/** The filters of the message list: query parameters in REST, arguments in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Moment, Nested, OneOf, SearchText, Uuid, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, PageArgs } from '../../../platform/input/page.input.js';
import { EMAIL_LOG_STATUSES, type EmailLogStatus } from '../domain/email-log-transitions.js';

export const EmailLogStatusEnum = graphqlEnum(
  'EmailLogStatus',
  EMAIL_LOG_STATUSES,
  'The status of a message.',
);

@Input({ graphql: 'EmailLogFilter' }, { nullIsAbsent: true })
export class EmailLogFilterInput {
  @OneOf(EMAIL_LOG_STATUSES, { optional: true, enumType: EmailLogStatusEnum }) status?: EmailLogStatus;
  @Uuid({ optional: true }) flowId?: string;
  @Uuid({ optional: true }) contactId?: string;
}

/** A page beyond this offset would cost the database more than its readers gain. */
export const MAX_EMAIL_LOG_OFFSET = 100_000;
const TIME_FILTER = { optional: true, example: '2026-03-02T09:00:00Z' } as const;

@Input({})
export class EmailLogListQuery {
  @OneOf(EMAIL_LOG_STATUSES, { optional: true }) status?: EmailLogStatus;
  @Uuid({ optional: true }) contactId?: string;
  @SearchText({ optional: true, description: 'Only messages to the contact with this identifier.' })
  externalId?: string;
  @SearchText({
    optional: true,
    description:
      'Only messages to contacts who currently have this address, including deleted ones; up to 100 contacts.',
  })
  email?: string;
  @Uuid({ optional: true }) flowId?: string;
  @Uuid({ optional: true }) campaignId?: string;
  @Moment({ ...TIME_FILTER, description: 'Created at or after this time.' }) createdAfter?: Date;
  @Moment({ ...TIME_FILTER, description: 'Created before this time.' }) createdBefore?: Date;
  @Limit(50, 200) limit: number;
  @Integer({ min: 0, max: MAX_EMAIL_LOG_OFFSET, fallback: 0 }) offset: number;
}

@Arguments()
export class EmailLogsArgs extends PageArgs {
  @Nested(EmailLogFilterInput, { optional: true }) filter?: EmailLogFilterInput;
}
