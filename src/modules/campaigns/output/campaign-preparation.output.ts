/** The audience preview and the best send time in REST (section 4.5) and in GraphQL. */
import { camelKeys } from '../../../kernel/letter-case.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { MAX_SAMPLE_CONTACTS, type AudiencePreview } from '../domain/audience-preview.js';
import { CONFIDENCES, LOOKBACK_DAYS } from '../domain/best-send-time.js';
import { AbWarningOutput } from './ab-warning.output.js';

@Output({
  rest: 'SkippedResponse',
  graphql: 'SkippedContacts',
  description: 'Contacts of the segment who receive no message, by reason.',
})
class SkippedContactsOutput {
  @Out('Int') unsubscribed: number;
  @Out('Int') deleted: number;
  @Out('Int') noEmailAddress: number;
  @Out('Int') suppressionList: number;
  @Out('Int', { description: 'Another contact in the audience has the same address.' })
  duplicateAddress: number;
}

@Output({
  rest: 'AudiencePreviewResponse',
  graphql: 'CampaignAudience',
  description: 'Who would receive a campaign if it were sent now.',
})
export class CampaignAudienceOutput {
  @Out('ID') segmentId: string;
  @Out('Int', { description: 'All contacts in the segment.' }) total: number;
  @Out('Int') sendable: number;
  @Out(SkippedContactsOutput) skipped: SkippedContactsOutput;
  @Out([ContactOutput], {
    api: { maxItems: MAX_SAMPLE_CONTACTS },
    description:
      'Up to 10 of the recipients, newest first. Addresses are masked without permission to read contacts.',
  })
  sample: readonly ContactOutput[];
  @Out('DateTime') evaluatedAt: Date;
  @Out([AbWarningOutput], {
    only: 'rest',
    optional: true,
    description: 'Reasons why the A/B test may not give a meaningful result. Omitted if there are none.',
  })
  @Out([AbWarningOutput], {
    only: 'graphql',
    description: 'Reasons why the A/B test may not give a meaningful result.',
  })
  abTestWarnings?: readonly AbWarningOutput[] | undefined;
}

export function audienceOutput({ skipped, ...preview }: AudiencePreview): CampaignAudienceOutput {
  return { ...preview, skipped: camelKeys(skipped) };
}

@Output({
  rest: 'ReadingHourResponse',
  graphql: 'ReadingHour',
  description: 'Opens and clicks by people in one hour of the week.',
})
class ReadingHourOutput {
  @Out('Int', { description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number;
  @Out('Int') hour: number;
  @Out('Int') opens: number;
  @Out('Int') clicks: number;
}

@Output({ rest: 'BasedOnResponse', graphql: 'BestSendTimeBasis' })
class BestSendTimeBasisOutput {
  @Out('Int') opens: number;
  @Out('Int') clicks: number;
  @Out('Int', { description: 'Contacts who opened or clicked.' }) contacts: number;
  @Out('Int', { example: LOOKBACK_DAYS }) days: number;
}

@Output({ rest: 'BestSendTimeResponse', graphql: 'BestSendTime' })
export class BestSendTimeOutput {
  @Out('DateTime', {
    nullable: true,
    description: 'The next occurrence of the recommended hour. Null if there is not enough data.',
  })
  recommendedAt: Date | null;
  @Out('Int', { nullable: true, description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number | null;
  @Out('Int', { nullable: true }) hour: number | null;
  @Out('String', { example: 'Europe/Berlin', description: 'The workspace’s time zone.' }) timezone: string;
  @Out(oneOf(CONFIDENCES), { description: 'none, low, medium or high' }) confidence: string;
  @Out(BestSendTimeBasisOutput) basedOn: BestSendTimeBasisOutput;
  @Out([ReadingHourOutput], { description: 'Hours without activity are omitted.' })
  histogram: readonly ReadingHourOutput[];
}
