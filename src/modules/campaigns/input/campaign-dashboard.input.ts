/** The dashboard's arguments for lists of recipients and instances. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, SearchText } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient.js';
import { LONGEST_SEARCH } from './campaign-views.input.js';

export const RecipientStatusEnum = graphqlEnum('RecipientStatus', RECIPIENT_STATUSES);

@Input({ graphql: 'RecipientFilterInput' }, { nullIsAbsent: true })
export class RecipientFilterInput {
  @OneOf(RECIPIENT_STATUSES, { optional: true, enumType: RecipientStatusEnum }) status?: RecipientStatus;
  @SearchText({ optional: true, description: 'Name of a variant.' }) variant?: string;
  @SearchText({ optional: true, format: 'uuid' }) instanceId?: string;
  @SearchText({
    optional: true,
    max: LONGEST_SEARCH,
    description: 'Matches part of the externalId or the address.',
  })
  search?: string;
}

@Arguments()
export class CampaignRecipientsArgs extends PageArgs {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
  @Nested(RecipientFilterInput, { fallback: {} }) filter: RecipientFilterInput;
}

@Arguments()
export class CampaignInstancesArgs extends PageArgs {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
}

@Arguments()
export class CampaignNumbersArgs {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
  @SearchText({ optional: true, nullable: 'absent', isId: true, description: 'Only this instance.' })
  instanceId?: string;
}

@Arguments()
export class SendWinnerArgs {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
  @SearchText({
    optional: true,
    nullable: 'absent',
    description: 'Name of a variant. Defaults to the variant with the best result so far.',
  })
  variant?: string;
}
