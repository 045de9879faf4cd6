/**
 * The emails that a campaign sends: one, or the variants of its test. A variant inherits from the campaign what it does
 * not set.
 */
import type { Campaign } from './campaign.js';
import type { FrozenSender } from './instance.js';

export interface CampaignVariant {
  /** Null if the campaign has no test. */
  readonly name: string | null;
  readonly templateId: string | null;
  readonly subject: string | null;
  /** Absent fields come from the workspace. */
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
