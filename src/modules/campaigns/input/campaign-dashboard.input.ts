/** Which recipients and instances the dashboard asks for, and what it says when it sends. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Flag, Nested, OneOf, Sought } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient.js';
import {
  ScheduleCampaignInput,
  ScheduleRecurringInput,
  SendCampaignInput,
} from './campaign-sending.input.js';
import { LONGEST_SEARCH } from './campaign-views.input.js';

export const RecipientStatusEnum = graphqlEnum('RecipientStatus', RECIPIENT_STATUSES);

@Input({ graphql: 'RecipientFilterInput' }, { nullIsAbsent: true })
export class RecipientFilterInput {
  @OneOf(RECIPIENT_STATUSES, { optional: true, enumType: RecipientStatusEnum }) status?: RecipientStatus;
  @Sought({ optional: true, description: 'The name of a variant.' }) variant?: string;
  @Sought({ optional: true, format: 'uuid' }) instanceId?: string;
  @Sought({ optional: true, max: LONGEST_SEARCH, description: 'Part of the externalId or of the address.' })
  search?: string;
}

@Arguments()
export class CampaignRecipientsArgs extends PageArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Nested(RecipientFilterInput, { fallback: {} }) filter: RecipientFilterInput;
}

@Arguments()
export class CampaignInstancesArgs extends PageArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
}

const CONFIRM = {
  fallback: false,
  description: 'Has to be true where the segment is of everybody, or of more than 10,000.',
} as const;

@Arguments()
export class SendCampaignArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Nested(SendCampaignInput, { fallback: {} }) input: SendCampaignInput;
  @Flag(CONFIRM) confirmAudience: boolean;
}

@Arguments()
export class ScheduleCampaignArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Nested(ScheduleCampaignInput) input: ScheduleCampaignInput;
  @Flag(CONFIRM) confirmAudience: boolean;
}

@Arguments()
export class ScheduleRecurringArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Nested(ScheduleRecurringInput) input: ScheduleRecurringInput;
  @Flag(CONFIRM) confirmAudience: boolean;
}

@Arguments()
export class CampaignNumbersArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Sought({ optional: true, nullable: 'absent', isId: true, description: 'One instance alone.' })
  instanceId?: string;
}

@Arguments()
export class SendWinnerArgs {
  @Sought({ isId: true, description: 'The campaign.' }) id: string;
  @Sought({
    optional: true,
    nullable: 'absent',
    description: 'The name of a variant; the best so far where there is none.',
  })
  variant?: string;
}
