/** The texts of the product's mail, in plain words. Their layout is in application/notice-layout. Pure functions. */
import type { Role } from '../../../kernel/principal.js';
import type {
  CampaignNotice,
  DomainNotice,
  InvitationNotice,
  PauseNotice,
  ReportConfirmationNotice,
  ReportRecipientNotice,
  ReportStoppedNotice,
  UsageNotice,
  TextNotice,
} from './notice.js';
import { plainName } from './plain-name.js';

/** The parts of a mail, as text without markup. */
export interface NoticeContent {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Facts, shown as a small table. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly action: { readonly label: string; readonly url: string } | null;
  /** Shown last, in small print. */
  readonly remarks: readonly string[];
}

/** The path of the invitation page under BASE_URL. */
export const INVITATION_PATH = '/invitations';

const ROLE_MEANING: Readonly<Record<Role, string>> = {
  owner: 'the owner, with full access',
  admin: 'an admin, with full access except to billing',
  developer: 'a developer, with access to flows, templates, segments and contacts',
  marketing: 'a member for marketing, with access to flows, templates, segments and analytics',
  operations: 'a member for operations, with access to contacts, email logs and analytics',
  viewer: 'a viewer, with read-only access to analytics',
};

/** The mail of a notice. @param to the recipient's address. @param baseUrl BASE_URL. */
export function contentOf(notice: TextNotice, to: string, baseUrl: string): NoticeContent {
  switch (notice.kind) {
    case 'invitation':
      return invitation(notice, to, baseUrl);
    case 'domain':
      return domain(notice);
    case 'pause':
      return pause(notice);
    case 'usage':
      return usage(notice);
    case 'campaign':
      return campaign(notice);
    case 'report_stopped':
      return reportStopped(notice);
    case 'report_confirmation':
      return reportConfirmation(notice, to);
    case 'report_recipient':
      return reportRecipient(notice);
  }
}

const MANAGER_REMARK = 'You receive this email because you are the owner or an admin of the workspace.';

function invitation(notice: InvitationNotice, to: string, baseUrl: string): NoticeContent {
  const workspace = plainName(notice.workspace, 'a workspace');
  const { inviter } = notice;
  const name = inviter ? plainName(inviter.name, inviter.email) : 'Somebody';
  const who = inviter && name !== inviter.email ? `${name} (${inviter.email})` : name;
  return {
    subject: `${name} invites you to ${workspace} on Waypost`,
    title: `Join ${workspace} on Waypost`,
    paragraphs: [
      `${who} has invited you to the workspace ${workspace} on Waypost, where teams write and send their email.`,
      `You will join as ${ROLE_MEANING[notice.role]}.`,
      `To join, open the invitation and sign in with this address, ${to}. The invitation only works for this ` +
        'address.',
    ],
    facts: [],
    action: { label: 'Open the invitation', url: `${baseUrl}${INVITATION_PATH}/${notice.invitationId}` },
    remarks: [
      'If you did not expect this invitation, you can ignore it. You only join the workspace if you accept.',
    ],
  };
}

function domain({ workspace, domain: name, status, reason }: DomainNotice): NoticeContent {
  const workspaceName = plainName(workspace, 'your workspace');
  const isFailing = status === 'failing';
  return {
    subject: isFailing ? `DNS records of ${name} are missing` : `Mail is no longer sent from ${name}`,
    title: isFailing ? `DNS records of ${name} are missing` : `Mail is no longer sent from ${name}`,
    paragraphs: [
      isFailing
        ? `DNS records that prove that ${name} belongs to the workspace ${workspaceName} are missing. For now, mail is still ` +
          'sent from the domain.'
        : `DNS records that prove that ${name} belongs to the workspace ${workspaceName} have been missing for too long. Mail ` +
          'is now sent from the shared sending domain, so no messages are lost.',
      ...(reason === '' ? [] : [formatTimestamps(reason)]),
      isFailing
        ? 'Add the records again as shown in your list of sending domains. They are checked again automatically.'
        : 'Add the records again as shown in your list of sending domains, then check the domain. Mail will be ' +
          'sent from your domain again.',
    ],
    facts: [],
    action: null,
    remarks: [MANAGER_REMARK],
  };
}

function pause({ workspace, reason, sent, bounced, complained }: PauseNotice): NoticeContent {
  const workspaceName = plainName(workspace, 'your workspace');
  const isBounceRate = reason === 'high_bounce_rate';
  return {
    subject: `Promotional mail of ${workspaceName} is paused`,
    title: `Promotional mail of ${workspaceName} is paused`,
    paragraphs: [
      isBounceRate
        ? 'Too many of your promotional emails bounced, so sending was paused automatically. Continuing would ' +
          'damage your reputation with mail providers.'
        : 'Too many recipients reported your promotional emails as spam, so sending was paused automatically. ' +
          'Continuing would damage your reputation with mail providers.',
      'Transactional mail is not affected. Promotional messages are held for seven days; those not sent by ' +
        'then are discarded.',
      isBounceRate
        ? 'Find out which addresses bounced and where they came from. Once you have fixed the cause, resume ' +
          'promotional mail.'
        : 'Check who received your emails and whether they had asked for them. Once you have fixed the cause, ' +
          'resume promotional mail.',
    ],
    facts: [
      { label: 'Sent in the last seven days', value: formatCount(sent) },
      { label: 'Bounced', value: `${formatCount(bounced)} (${formatShare(bounced, sent)})` },
      { label: 'Reported as spam', value: `${formatCount(complained)} (${formatShare(complained, sent)})` },
    ],
    action: null,
    remarks: [MANAGER_REMARK],
  };
}

const LIMIT_TEXTS = {
  emails: {
    name: 'emails',
    of: 'this month’s emails',
    full: 'Until then, messages of flows are suppressed and direct sends are rejected.',
    soon: 'Once all are used, messages of flows are suppressed and direct sends are rejected.',
  },
  events: {
    name: 'events',
    of: 'this month’s events',
    full: 'Until then, further events are rejected.',
    soon: 'Once all are used, further events are rejected.',
  },
  contacts: {
    name: 'contacts',
    of: 'your plan’s contacts',
    full: 'New contacts are rejected. Existing contacts can still be updated and emailed.',
    soon: 'Once the limit is reached, new contacts are rejected. Existing contacts can still be updated and emailed.',
  },
} as const;

function usage(notice: UsageNotice): NoticeContent {
  const { limitType, environment, plan, current, maximum, threshold, periodEnd } = notice;
  const workspaceName = plainName(notice.workspace, 'your workspace');
  const { name, of: quota, full, soon } = LIMIT_TEXTS[limitType];
  const isFull = threshold === 100;
  const title = isFull ? `All of ${quota} are used` : `${threshold}% of ${quota} are used`;
  const isMonthly = limitType !== 'contacts';
  const renews = `The count resets on ${formatDay(periodEnd)}, or when your subscription is renewed.`;
  return {
    subject: `${workspaceName}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    title,
    paragraphs: [
      isMonthly
        ? `The workspace ${workspaceName} has used ${formatCount(current)} of the ${formatCount(maximum)} ${name} included in the ` +
          `${plan} plan per month.`
        : `The workspace ${workspaceName} has ${formatCount(current)} of the ${formatCount(maximum)} ${name} included in the ${plan} plan.`,
      ...(isMonthly ? [renews] : []),
      isFull ? full : soon,
      'An upgrade takes effect immediately.',
    ],
    facts: [
      { label: 'Used', value: `${formatCount(current)} of ${formatCount(maximum)}` },
      { label: 'Plan', value: plan },
      { label: 'Environment', value: environment },
    ],
    action: null,
    remarks: [MANAGER_REMARK],
  };
}

function campaign({
  workspace,
  environment,
  campaign: campaignName,
  reason,
  detail,
}: CampaignNotice): NoticeContent {
  const workspaceName = plainName(workspace, 'your workspace');
  const name = plainName(campaignName, 'a campaign');
  const isIncomplete = reason === 'campaign_incomplete';
  return {
    subject: `${workspaceName}: the campaign ${name} is paused`,
    title: `The campaign ${name} is paused`,
    paragraphs: [
      isIncomplete
        ? 'The campaign could not continue because something it needs is missing.'
        : 'All emails of this month are used, so the campaign was paused before it finished. No recipient is lost ' +
          'or emailed twice: the remaining messages are sent when you resume it.',
      ...(detail === '' ? [] : [detail]),
      isIncomplete
        ? 'Once you have fixed this, resume the campaign.'
        : 'Resume it next month, or after upgrading to a larger plan.',
    ],
    facts: [
      { label: 'Workspace', value: workspaceName },
      { label: 'Environment', value: environment },
    ],
    action: null,
    remarks: [MANAGER_REMARK],
  };
}

function reportStopped({ workspace, report, detail }: ReportStoppedNotice): NoticeContent {
  const workspaceName = plainName(workspace, 'your workspace');
  const name = plainName(report, 'a report');
  return {
    subject: `${workspaceName}: the report ${name} is no longer emailed`,
    title: `The report ${name} is no longer emailed`,
    paragraphs: [
      'The report was due but could not be run in its current form. Nothing was sent.',
      ...(detail === '' ? [] : [detail]),
      'Once you have changed the report, it is sent again from its next date.',
    ],
    facts: [{ label: 'Workspace', value: workspaceName }],
    action: null,
    remarks: ['You receive this email because the report is yours, or because you manage the workspace.'],
  };
}

function reportConfirmation(notice: ReportConfirmationNotice, to: string): NoticeContent {
  const workspace = plainName(notice.workspace, 'a workspace');
  const report = plainName(notice.report, 'a report');
  return {
    subject: `Confirm that you want the report ${report} by email`,
    title: 'Do you want to receive this report by email?',
    paragraphs: [
      `The workspace ${workspace} wants to send the report ${report} to ${to} by email, on a schedule.`,
      'You only receive it if you confirm. Every report email contains a link to stop it.',
    ],
    facts: [],
    action: { label: 'Confirm', url: notice.url },
    remarks: ['If you did not expect this, you can ignore it. Nothing is sent unless you confirm.'],
  };
}

function reportRecipient(notice: ReportRecipientNotice): NoticeContent {
  const workspaceName = plainName(notice.workspace, 'your workspace');
  const report = plainName(notice.report, 'a report');
  const { address } = notice;
  const isBounce = notice.status === 'bounced';
  return {
    subject: `${workspaceName}: ${address} no longer receives the report ${report}`,
    title: `${address} no longer receives the report ${report}`,
    paragraphs: [
      isBounce
        ? 'Mail to this recipient bounced permanently, so the report is no longer sent to this address.'
        : 'The recipient reported the report email as spam, so the report is no longer sent to this address.',
      isBounce
        ? 'Remove the address from the schedule. If it works again, add it again; the recipient must then confirm.'
        : 'Remove the address from the schedule. Only the recipient can turn the report on again, with the link in ' +
          'an earlier report.',
    ],
    facts: [{ label: 'Workspace', value: workspaceName }],
    action: null,
    remarks: ['You receive this email because the report is yours, or because you manage the workspace.'],
  };
}

function formatCount(number: number): string {
  return number.toLocaleString('en');
}

function formatShare(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((part / whole) * 100).toFixed(2)}%`;
}

/** The sentence with its timestamps in a readable form. */
function formatTimestamps(sentence: string): string {
  return sentence.replace(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g,
    (moment) => `${formatDay(moment)}, ${moment.slice(11, 16)} UTC`,
  );
}

function formatDay(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));
}
