/** Checks the sender of a message (section 4.3, preflight: domain), from the workspace's settings. */
import { domainToASCII } from 'node:url';
import { isEmailAddress } from '../../../../kernel/email-address.js';
import { quote, type RuleFinding } from '../findings/finding.js';

export interface SenderInputs {
  /** As set by the workspace; undefined if not set. */
  readonly fromEmail: string | undefined;
  readonly replyTo: string | undefined;
  readonly companyComplete: boolean;
  readonly live: boolean;
  /** The domain that live mail is sent from if the workspace has no verified domain. */
  readonly sharedDomain: string;
  /** Whether the address belongs to a verified domain of the workspace. */
  readonly isOwnDomain: boolean;
}

export function checkSender(inputs: SenderInputs): RuleFinding[] {
  const { fromEmail, replyTo, companyComplete, live, sharedDomain, isOwnDomain } = inputs;
  const findings: RuleFinding[] = [];
  const report = (rule: RuleFinding['rule'], message: string): void => {
    findings.push({ rule, message, at: null });
  };
  if (fromEmail !== undefined && !isAddress(fromEmail)) {
    report(
      'sender_malformed',
      `The sender’s address ${quote(fromEmail)} is malformed. No mail is sent from it.`,
    );
  } else if (!isOwnDomain) {
    const local =
      fromEmail === undefined ? 'no-reply' : fromEmail.trim().slice(0, fromEmail.trim().lastIndexOf('@'));
    report(
      'sender_shared_domain',
      'The sender’s address is not at a verified domain of the workspace. Email is sent from the shared domain ' +
        `as ${local}@${sharedDomain}.`,
    );
  }
  if (replyTo !== undefined && !isAddress(replyTo)) {
    report('sender_malformed', `The reply address ${quote(replyTo)} is malformed. No mail is sent with it.`);
  }
  if (!companyComplete) {
    report(
      'company_incomplete',
      'The company’s address is incomplete. Promotional email is not sent without it.',
    );
  }
  if (!live) report('not_live', 'The workspace is not live. Email only goes to the sandbox.');
  return findings;
}

/** The domain of the sender's address, in lower case and in ASCII; empty if there is none. */
export function senderDomain(fromEmail: string | undefined): string {
  const address = (fromEmail ?? '').trim();
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)).toLowerCase();
}

function isAddress(text: string): boolean {
  const trimmed = text.trim();
  return isEmailAddress(trimmed) && domainToASCII(trimmed.slice(trimmed.lastIndexOf('@') + 1)) !== '';
}
