/** The dashboard's arguments for lists of recipients and instances. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, Sought } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient.js';
import { LONGEST_SEARCH } from './campaign-views.input.js';

export const RecipientStatusEnum = graphqlEnum('RecipientStatus', RECIPIENT_STATUSES);

@Input({ graphql: 'RecipientFilterInput' }, { nullIsAbsent: true })
export class RecipientFilterInput {
  @OneOf(RECIPIENT_STATUSES, { optional: true, enumType: RecipientStatusEnum }) status?: RecipientStatus;
  @Sought({ optional: true, description: 'Name of a variant.' }) variant?: string;
  @Sought({ optional: true, format: 'uuid' }) instanceId?: string;
  @Sought({
    optional: true,
    max: LONGEST_SEARCH,
    description: 'Matches part of the externalId or the address.',
  })
  search?: string;
}

@Arguments()
export class CampaignRecipientsArgs extends PageArgs {
  @Sought({ isId: true, description: 'ID of the campaign.' }) id: string;
  @Nested(RecipientFilterInput, { fallback: {} }) filter: RecipientFilterInput;
}

@Arguments()
export class CampaignInstancesArgs extends PageArgs {
  @Sought({ isId: true, description: 'ID of the campaign.' }) id: string;
}

@Arguments()
export class CampaignNumbersArgs {
  @Sought({ isId: true, description: 'ID of the campaign.' }) id: string;
  @Sought({ optional: true, nullable: 'absent', isId: true, description: 'Only this instance.' })
  instanceId?: string;
}

@Arguments()
export class SendWinnerArgs {
  @Sought({ isId: true, description: 'ID of the campaign.' }) id: string;
  @Sought({
    optional: true,
    nullable: 'absent',
    description: 'Name of a variant. Defaults to the variant with the best result so far.',
  })
  variant?: string;
}
