/** The GraphQL types of the audience preview and the best send time. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { camelKeys } from '../../../kernel/letter-case.js';
import { AbTestWarningType } from './ab-warning.type.js';
import type { AudiencePreview } from '../domain/audience-preview.js';

@ObjectType('SkippedContacts', {
  description: 'Contacts of the segment who receive no message, by reason.',
})
class SkippedContactsType {
  @Field(() => Int) unsubscribed: number;
  @Field(() => Int) deleted: number;
  @Field(() => Int) noEmailAddress: number;
  @Field(() => Int) suppressionList: number;
  @Field(() => Int, { description: 'Another contact in the audience has the same address.' })
  duplicateAddress: number;
}

@ObjectType('CampaignAudience', { description: 'Who would receive a campaign if it were sent now.' })
export class CampaignAudienceType {
  @Field(() => ID) segmentId: string;
  @Field(() => Int, { description: 'All contacts in the segment.' }) total: number;
  @Field(() => Int) sendable: number;
  @Field(() => SkippedContactsType) skipped: SkippedContactsType;
  @Field(() => [ContactOutput], {
    description:
      'Up to 10 of the recipients, newest first. Addresses are masked without permission to read contacts.',
  })
  sample: readonly ContactOutput[];
  @Field(() => GraphQLISODateTime) evaluatedAt: Date;
  @Field(() => [AbTestWarningType], {
    description: 'Reasons why the A/B test may not give a meaningful result.',
  })
  abTestWarnings: readonly AbTestWarningType[];
}

export function campaignAudienceType({ skipped, sample, ...preview }: AudiencePreview): CampaignAudienceType {
  return {
    ...preview,
    skipped: camelKeys(skipped),
    sample: sample,
  };
}

@ObjectType('ReadingHour', { description: 'Opens and clicks by people in one hour of the week.' })
class ReadingHourType {
  @Field(() => Int, { description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number;
  @Field(() => Int) hour: number;
  @Field(() => Int) opens: number;
  @Field(() => Int) clicks: number;
}

@ObjectType('BestSendTimeBasis')
class BasisType {
  @Field(() => Int) opens: number;
  @Field(() => Int) clicks: number;
  @Field(() => Int, { description: 'Contacts who opened or clicked.' }) contacts: number;
  @Field(() => Int) days: number;
}

@ObjectType('BestSendTime')
export class BestSendTimeType {
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The next occurrence of the recommended hour. Null if there is not enough data.',
  })
  recommendedAt: Date | null;
  @Field(() => Int, { nullable: true, description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number | null;
  @Field(() => Int, { nullable: true }) hour: number | null;
  @Field({ description: 'The workspace’s time zone.' }) timezone: string;
  @Field({ description: 'none, low, medium or high' }) confidence: string;
  @Field(() => BasisType) basedOn: BasisType;
  @Field(() => [ReadingHourType], { description: 'Hours without activity are omitted.' })
  histogram: readonly ReadingHourType[];
}
