/** The recipients of a campaign's test email, sections 4.5 and 8.3. */
import { Emails, SearchText } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { MAX_TEST_RECIPIENTS } from '../../delivery/domain/test-send.js';

const RECIPIENTS = {
  min: 1,
  max: MAX_TEST_RECIPIENTS,
  example: ['olive@acme.test'],
  description: `1 to ${MAX_TEST_RECIPIENTS} addresses. Duplicates are sent one email.`,
} as const;

@Input({ rest: 'CampaignTestSendBody' })
export class CampaignTestSendInput {
  @Emails(RECIPIENTS) recipients: readonly string[];
}

@Arguments()
export class CampaignTestEmailArgs {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
  @Emails(RECIPIENTS) recipients: readonly string[];
}
