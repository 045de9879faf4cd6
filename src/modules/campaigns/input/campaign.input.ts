/** The input that creates or changes a campaign, sections 2.9 and 4.5, shared by REST and GraphQL. */
import { blankProblem } from '../../../platform/input/checks.js';
import { Nested, Text, Uuid } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { normalAddress } from '../../delivery/domain/email-address.js';
import { MAX_SENDER_NAME_LENGTH } from '../../workspaces/domain/workspace.js';
import { LONGEST_NAME, LONGEST_SUBJECT, type CampaignContent } from '../domain/campaign.js';
import type { CampaignChange } from '../domain/campaign-change.js';
import { abTestOf, AbTestInput } from './ab-test.input.js';

function addressProblem(text: string): string | undefined {
  return normalAddress(text.trim()) === undefined ? 'must be an email address' : undefined;
}

const NAME = { min: 1, max: LONGEST_NAME, check: blankProblem, example: 'Spring sale' } as const;
/** Can be set later. */
const UNSET = { optional: true, nullable: true } as const;

/** The fields of a campaign besides its name. */
@Input({})
class CampaignFields {
  @Text({
    ...UNSET,
    max: LONGEST_SUBJECT,
    example: 'Spring is here',
    description: 'Takes precedence over the template’s stored subject.',
  })
  subject?: string | null;

  @Uuid({ ...UNSET, description: 'The template to send.' }) templateId?: string | null;
  @Uuid({ ...UNSET, description: 'The segment to send to.' }) segmentId?: string | null;
  @Text({ ...UNSET, max: MAX_SENDER_NAME_LENGTH, example: 'Acme' }) senderName?: string | null;

  @Text({
    ...UNSET,
    check: addressProblem,
    example: 'hello@acme.test',
    description: 'Defaults to the workspace’s sender.',
  })
  senderEmail?: string | null;

  @Text({ ...UNSET, check: addressProblem, example: 'help@acme.test' }) replyTo?: string | null;

  @Nested(AbTestInput, { ...UNSET, description: 'Variants that are tested on part of the audience first.' })
  abTest?: AbTestInput | null;
}

@Input({ rest: 'CreateCampaignBody', graphql: 'CreateCampaignInput' })
export class CreateCampaignInput extends CampaignFields {
  @Text(NAME) name: string;
}

@Input({
  rest: 'UpdateCampaignBody',
  graphql: 'UpdateCampaignInput',
  description: 'Omitted fields do not change; null clears a field. An A/B test is replaced as a whole.',
})
export class UpdateCampaignInput extends CampaignFields {
  @Text({ ...NAME, optional: true }) name?: string;
}

const EMPTY_CONTENT: Omit<CampaignContent, 'name'> = {
  subject: null,
  templateId: null,
  segmentId: null,
  senderName: null,
  senderEmail: null,
  replyTo: null,
  abTest: null,
};

/** Returns the requested campaign. */
export function campaignContentOf(input: CreateCampaignInput): CampaignContent {
  return { ...EMPTY_CONTENT, name: input.name, ...campaignChangeOf(input) };
}

/** Returns the requested changes of a campaign. */
export function campaignChangeOf({ abTest, ...given }: UpdateCampaignInput): CampaignChange {
  const { senderEmail, replyTo } = given;
  return {
    ...given,
    ...(typeof senderEmail === 'string' ? { senderEmail: senderEmail.trim() } : {}),
    ...(typeof replyTo === 'string' ? { replyTo: replyTo.trim() } : {}),
    ...(abTest === undefined ? {} : { abTest: abTest && abTestOf(abTest) }),
  };
}
