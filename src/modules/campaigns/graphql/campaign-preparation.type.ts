/** Whom a campaign would reach, and when they read, as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { contactType, ContactType } from '../../contacts/graphql/contact.type.js';
import { camelKeys } from '../../../kernel/letter-case.js';
import { AbTestWarningType } from './ab-warning.type.js';
import type { AudiencePreview } from '../domain/audience-preview.js';

@ObjectType('SkippedContacts', {
  description: 'Who of a segment gets no message of a campaign, by the reason.',
})
class SkippedContactsType {
  @Field(() => Int) unsubscribed: number;
  @Field(() => Int) deleted: number;
  @Field(() => Int) noEmailAddress: number;
  @Field(() => Int) suppressionList: number;
  @Field(() => Int, { description: 'Another contact of the audience has the address.' })
  duplicateAddress: number;
}

@ObjectType('CampaignAudience', { description: 'Whom a campaign would reach if it were sent now.' })
export class CampaignAudienceType {
  @Field(() => ID) segmentId: string;
  @Field(() => Int, { description: 'Everybody in the segment.' }) total: number;
  @Field(() => Int) sendable: number;
  @Field(() => SkippedContactsType) skipped: SkippedContactsType;
  @Field(() => [ContactType], {
    description:
      'At most 10 of those who would get it, the newest first. Addresses are masked for whoever may not read contacts.',
  })
  sample: ContactType[];
  @Field(() => GraphQLISODateTime) evaluatedAt: Date;
  @Field(() => [AbTestWarningType], { description: 'Why the A/B test may give no meaningful result.' })
  abTestWarnings: readonly AbTestWarningType[];
}

export function campaignAudienceType({ skipped, sample, ...preview }: AudiencePreview): CampaignAudienceType {
  return {
    ...preview,
    skipped: camelKeys(skipped),
    sample: sample.map(contactType),
  };
}

@ObjectType('ReadingHour', { description: 'The opens and clicks by people in one hour of the week.' })
class ReadingHourType {
  @Field(() => Int, { description: '0 is Monday.' }) dayOfWeek: number;
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
    description: 'The next such hour; null where too little is known.',
  })
  recommendedAt: Date | null;
  @Field(() => Int, { nullable: true, description: '0 is Monday.' }) dayOfWeek: number | null;
  @Field(() => Int, { nullable: true }) hour: number | null;
  @Field({ description: 'The workspace’s.' }) timezone: string;
  @Field({ description: 'none, low, medium or high' }) confidence: string;
  @Field(() => BasisType) basedOn: BasisType;
  @Field(() => [ReadingHourType], { description: 'Hours in which nothing happened are left out.' })
  histogram: readonly ReadingHourType[];
}
