/** The parameters of recipient lists, instance lists and statistics, section 4.5. */
import { OneOf, SearchText } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { Limit, Offset } from '../../../platform/input/page.input.js';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../domain/campaign-filter.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient.js';

export const LONGEST_SEARCH = 320;

@Input({})
export class RecipientsQuery {
  @OneOf(RECIPIENT_STATUSES, { optional: true }) status?: RecipientStatus;
  @SearchText({ optional: true, description: 'Name of a variant.' }) variant?: string;
  @SearchText({ optional: true, format: 'uuid' }) instanceId?: string;
  @SearchText({
    optional: true,
    max: LONGEST_SEARCH,
    description: 'Matches part of the external_id or the address.',
  })
  search?: string;

  @Limit(DEFAULT_LIMIT, LARGEST_LIMIT) limit: number;
  @Offset() offset: number;
}

@Input({})
export class AnalyticsQuery {
  @SearchText({ optional: true, format: 'uuid', description: 'Only this instance.' }) instanceId?: string;
}

@Input({})
export class InstancesQuery {
  @Limit(DEFAULT_LIMIT, LARGEST_LIMIT) limit: number;
  @Offset() offset: number;
}
