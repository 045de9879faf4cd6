/** Sends test emails of a campaign, section 4.5: immediately, without logging or counting them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { TestSendService } from '../../delivery/application/test-send.service.js';
import { DEFAULT_TEST_SUBJECT, type TestSendReport } from '../../delivery/domain/test-send.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { campaignIncomplete, NO_TEMPLATE } from '../domain/campaign-errors.js';
import type { Campaign } from '../domain/campaign.js';
import { CampaignService } from './campaign.service.js';

@Injectable()
export class CampaignTestSendService {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly templates: TemplateService,
    private readonly testSends: TestSendService,
  ) {}

  /**
   * Sends the campaign's email to each recipient, and returns the outcome for each.
   * @param recipients 1 to 5 addresses.
   * @param actor who sends it, for the log.
   * @throws DomainError campaign_not_found; campaign_incomplete without an active template; and as a test send of a
   *   template.
   */
  async send(
    scope: TenantScope,
    id: string,
    recipients: readonly string[],
    actor: string,
  ): Promise<TestSendReport> {
    const campaign = await this.campaigns.get(scope, id);
    const template =
      campaign.templateId === null ? undefined : await this.templates.byId(scope, campaign.templateId);
    if (!template?.isActive) throw campaignIncomplete([NO_TEMPLATE]);
    const { bodyHtml, templateLanguage } = template;
    const subject = firstOf(campaign.subject, template.subject) ?? DEFAULT_TEST_SUBJECT;
    const test = { toEmails: recipients, subject, bodyHtml, templateLanguage, sender: senderOf(campaign) };
    return this.testSends.send(scope, test, actor);
  }
}

/** Returns the sender fields that the campaign sets; the workspace supplies the others. */
function senderOf({ senderName, senderEmail, replyTo }: Campaign): Record<string, string> {
  const senderFields = {
    fromName: firstOf(senderName),
    fromEmail: firstOf(senderEmail),
    replyTo: firstOf(replyTo),
  };
  return Object.fromEntries(
    Object.entries(senderFields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Returns the first text that is neither null nor blank. */
function firstOf(...texts: readonly (string | null)[]): string | undefined {
  return texts.find((text): text is string => text !== null && text.trim() !== '');
}
