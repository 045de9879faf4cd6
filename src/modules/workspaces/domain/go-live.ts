/** Requirements for live sending (operations page, "Going live"). */
import { isCompanyComplete, type Workspace } from './workspace.js';

/** A missing requirement, as a stable code. */
export type GoLiveGap = 'account_email' | 'company' | 'api_key';

const GAP_DESCRIPTIONS: Readonly<Record<GoLiveGap, string>> = {
  account_email: 'the account email is not verified',
  company: 'the company information is incomplete (name, address_line1, city, postal_code, country)',
  api_key: 'there is no API key',
};

/** All missing requirements; empty if the workspace may go live. */
export function missingForGoLive(workspace: Workspace, hasApiKey: boolean): readonly GoLiveGap[] {
  const gaps: GoLiveGap[] = [];
  if (!workspace.accountEmailVerified) gaps.push('account_email');
  if (!isCompanyComplete(workspace.company)) gaps.push('company');
  if (!hasApiKey) gaps.push('api_key');
  return gaps;
}

/** The gaps as a sentence for a person. */
export function describeGaps(gaps: readonly GoLiveGap[]): string {
  return `The workspace cannot go live yet: ${gaps.map((gap) => GAP_DESCRIPTIONS[gap]).join('; ')}.`;
}
