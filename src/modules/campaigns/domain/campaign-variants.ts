/** What a campaign sends: one email, or the variants of its test, each with what it does not say itself taken from the campaign. */
import type { Campaign } from './campaign.js';
import type { FrozenSender } from './instance.js';

export interface CampaignVariant {
  /** Null where the campaign tests no variants. */
  readonly name: string | null;
  readonly templateId: string | null;
  readonly subject: string | null;
  /** What is absent is the workspace's. */
  readonly sender: FrozenSender;
}

export function variantsOf(campaign: Campaign): CampaignVariant[] {
  const { templateId, subject, senderName, abTest } = campaign;
  const ofAll = { name: null, templateId, subject, sender: senderOf(campaign, senderName) };
  if (abTest === null) return [ofAll];
  return abTest.variants.map((variant) => ({
    name: variant.name,
    templateId: variant.templateId ?? templateId,
    subject: variant.subject ?? subject,
    sender: senderOf(campaign, variant.senderName ?? senderName),
  }));
}

function senderOf({ senderEmail, replyTo }: Campaign, name: string | null): FrozenSender {
  return {
    ...(name === null ? {} : { fromName: name }),
    ...(senderEmail === null ? {} : { fromEmail: senderEmail }),
    ...(replyTo === null ? {} : { replyTo }),
  };
}
