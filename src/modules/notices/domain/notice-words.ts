/** What the product's mail says, in plain words; how it looks is application/notice-layout. Pure. */
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
  WordedNotice,
} from './notice.js';
import { plainName } from './plain-name.js';

/** A mail by its parts; text without any markup. */
export interface NoticeContent {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** What is known, as a small table. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly action: { readonly label: string; readonly url: string } | null;
  /** Behind the rest, in small print. */
  readonly remarks: readonly string[];
}

/** Where the page of an invitation is, beneath BASE_URL. */
export const INVITATION_PATH = '/invitations';

const ROLE_MEANING: Readonly<Record<Role, string>> = {
  owner: 'the owner, who may do everything',
  admin: 'an admin: you may do everything but billing',
  developer: 'a developer: you work on flows, templates, segments and contacts',
  marketing: 'a member for marketing: you work on flows, templates and segments, and see how mail is doing',
  operations: 'a member for operations: you look at contacts, at the log of emails, and at how mail is doing',
  viewer: 'a viewer: you see how mail is doing',
};

/** The mail of a notice. @param to the address that it goes to. @param baseUrl BASE_URL. */
export function contentOf(notice: WordedNotice, to: string, baseUrl: string): NoticeContent {
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

const MANAGERS = 'You get this mail since you are the owner or an admin of the workspace.';

function invitation(notice: InvitationNotice, to: string, baseUrl: string): NoticeContent {
  const workspace = plainName(notice.workspace, 'a workspace');
  const { inviter } = notice;
  const name = inviter ? plainName(inviter.name, inviter.email) : 'Somebody';
  const who = inviter && name !== inviter.email ? `${name} (${inviter.email})` : name;
  return {
    subject: `${name} invites you to ${workspace} on Waypost`,
    title: `Join ${workspace} on Waypost`,
    paragraphs: [
      `${who} has invited you to the workspace ${workspace} on Waypost, where a team writes and sends its email.`,
      `You would be ${ROLE_MEANING[notice.role]}.`,
      `To join, open the invitation and sign in with this address, ${to}. It is meant for nobody else.`,
    ],
    facts: [],
    action: { label: 'Open the invitation', url: `${baseUrl}${INVITATION_PATH}/${notice.invitationId}` },
    remarks: [
      'You did not expect this? Then you need not do anything: nobody joins a workspace without accepting.',
    ],
  };
}

function domain({ workspace, domain: name, status, reason }: DomainNotice): NoticeContent {
  const of = plainName(workspace, 'your workspace');
  const isFailing = status === 'failing';
  return {
    subject: isFailing ? `DNS records of ${name} are missing` : `Mail no longer goes from ${name}`,
    title: isFailing ? `DNS records of ${name} are missing` : `Mail no longer goes from ${name}`,
    paragraphs: [
      isFailing
        ? `Records that prove that ${name} belongs to the workspace ${of} are not there any more. Mail still goes from the domain for the time being.`
        : `Records that prove that ${name} belongs to the workspace ${of} have been missing for too long. Mail goes from the shared sending domain instead, so nothing is lost.`,
      ...(reason === '' ? [] : [readable(reason)]),
      isFailing
        ? 'Set the records again as the list of your sending domains shows them. They are looked at again by themselves.'
        : 'Set the records again as the list of your sending domains shows them, and have them looked at: then mail goes from your domain again.',
    ],
    facts: [],
    action: null,
    remarks: [MANAGERS],
  };
}

function pause({ workspace, reason, sent, bounced, complained }: PauseNotice): NoticeContent {
  const of = plainName(workspace, 'your workspace');
  const isBounces = reason === 'high_bounce_rate';
  return {
    subject: `Promotional mail of ${of} is paused`,
    title: `Promotional mail of ${of} is paused`,
    paragraphs: [
      isBounces
        ? 'Too much of your promotional mail came back as undeliverable, so it has stopped by itself. Going on would have mail programs distrust all that you send.'
        : 'Too many people have called your promotional mail spam, so it has stopped by itself. Going on would have mail programs distrust all that you send.',
      'Transactional mail goes on. Promotional messages wait for seven days; what is not sent by then is left out.',
      isBounces
        ? 'Look at which addresses bounced and where they came from. When you have removed the cause, have promotional mail go on.'
        : 'Look at whom you wrote to, and whether they had asked for it. When you have removed the cause, have promotional mail go on.',
    ],
    facts: [
      { label: 'Sent in the last seven days', value: figure(sent) },
      { label: 'Came back', value: `${figure(bounced)} (${share(bounced, sent)})` },
      { label: 'Called spam', value: `${figure(complained)} (${share(complained, sent)})` },
    ],
    action: null,
    remarks: [MANAGERS],
  };
}

const OF_PLAN = {
  emails: {
    name: 'emails',
    of: 'this month’s emails',
    full: 'Until then messages of flows are suppressed, and direct sends are refused.',
    soon: 'Once they are all used, messages of flows are suppressed, and direct sends are refused.',
  },
  events: {
    name: 'events',
    of: 'this month’s events',
    full: 'Until then further events are refused, and start nothing.',
    soon: 'Once they are all used, further events are refused, and start nothing.',
  },
  contacts: {
    name: 'contacts',
    of: 'your plan’s contacts',
    full: 'New contacts are refused; those that are there can be changed and written to as before.',
    soon: 'Once there are so many, new ones are refused; those that are there can be changed and written to as before.',
  },
} as const;

function usage(notice: UsageNotice): NoticeContent {
  const { limitType, environment, plan, current, maximum, threshold, periodEnd } = notice;
  const of = plainName(notice.workspace, 'your workspace');
  const { name, of: whole, full, soon } = OF_PLAN[limitType];
  const isFull = threshold === 100;
  const title = isFull ? `All of ${whole} are used` : `${threshold}% of ${whole} are used`;
  const isMonthly = limitType !== 'contacts';
  const renews = `They count from nothing again on ${dayOf(periodEnd)}, or when your subscription is renewed.`;
  return {
    subject: `${of}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    title,
    paragraphs: [
      isMonthly
        ? `The workspace ${of} has used ${figure(current)} of the ${figure(maximum)} ${name} that the ${plan} plan has in a month.`
        : `The workspace ${of} has ${figure(current)} of the ${figure(maximum)} ${name} that the ${plan} plan allows.`,
      ...(isMonthly ? [renews] : []),
      isFull ? full : soon,
      'A larger plan takes effect at once.',
    ],
    facts: [
      { label: 'Used', value: `${figure(current)} of ${figure(maximum)}` },
      { label: 'Plan', value: plan },
      { label: 'Environment', value: environment },
    ],
    action: null,
    remarks: [MANAGERS],
  };
}

function campaign({
  workspace,
  environment,
  campaign: named,
  reason,
  detail,
}: CampaignNotice): NoticeContent {
  const of = plainName(workspace, 'your workspace');
  const name = plainName(named, 'a campaign');
  const isIncomplete = reason === 'campaign_incomplete';
  return {
    subject: `${of}: the campaign ${name} is paused`,
    title: `The campaign ${name} is paused`,
    paragraphs: [
      isIncomplete
        ? 'Something that the campaign needs is missing, so it could not go on by itself.'
        : 'All emails of the month are used, so the campaign has stopped on its way. Nobody is lost, and nobody gets it twice: the rest goes when it is resumed.',
      ...(detail === '' ? [] : [detail]),
      isIncomplete
        ? 'When you have seen to it, resume the campaign.'
        : 'Resume it when the next month has begun, or when a larger plan has room.',
    ],
    facts: [
      { label: 'Workspace', value: of },
      { label: 'Environment', value: environment },
    ],
    action: null,
    remarks: [MANAGERS],
  };
}

function reportStopped({ workspace, report, detail }: ReportStoppedNotice): NoticeContent {
  const of = plainName(workspace, 'your workspace');
  const name = plainName(report, 'a report');
  return {
    subject: `${of}: the report ${name} is not mailed any more`,
    title: `The report ${name} is not mailed any more`,
    paragraphs: [
      'Its time had come, and it could not be run as it is. Nothing was mailed.',
      ...(detail === '' ? [] : [detail]),
      'When you have changed the report, it is mailed again from its next date on.',
    ],
    facts: [{ label: 'Workspace', value: of }],
    action: null,
    remarks: ['You get this mail since the report is yours, or since you answer for the workspace.'],
  };
}

function reportConfirmation(notice: ReportConfirmationNotice, to: string): NoticeContent {
  const workspace = plainName(notice.workspace, 'a workspace');
  const report = plainName(notice.report, 'a report');
  return {
    subject: `Confirm that you want the report ${report} by email`,
    title: 'Do you want this report by email?',
    paragraphs: [
      `The workspace ${workspace} wants to send the report ${report} to ${to} by email, on a schedule.`,
      'You get it only if you confirm. Every report has a link that stops it.',
    ],
    facts: [],
    action: { label: 'Confirm', url: notice.url },
    remarks: ['You did not expect this? Then you need not do anything: nothing is sent unless you confirm.'],
  };
}

function reportRecipient(notice: ReportRecipientNotice): NoticeContent {
  const of = plainName(notice.workspace, 'your workspace');
  const report = plainName(notice.report, 'a report');
  const { address } = notice;
  const isBounce = notice.status === 'bounced';
  return {
    subject: `${of}: ${address} no longer receives the report ${report}`,
    title: `${address} no longer receives the report ${report}`,
    paragraphs: [
      isBounce
        ? 'Mail to this recipient came back as undeliverable for good, so the report is not mailed to the address any more.'
        : 'The recipient reported this mail as spam, so the report is not mailed to the address any more.',
      isBounce
        ? 'Remove the address from the schedule. If it works again, add it anew, and the recipient is asked to confirm.'
        : 'Remove the address from the schedule. Only the recipient can turn the report on again, by the link in an earlier report.',
    ],
    facts: [{ label: 'Workspace', value: of }],
    action: null,
    remarks: ['You get this mail since the report is yours, or since you answer for the workspace.'],
  };
}

function figure(number: number): string {
  return number.toLocaleString('en');
}

function share(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((part / whole) * 100).toFixed(2)}%`;
}

/** The sentence with its moments as people write them. */
function readable(sentence: string): string {
  return sentence.replace(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g,
    (moment) => `${dayOf(moment)}, ${moment.slice(11, 16)} UTC`,
  );
}

function dayOf(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));
}
