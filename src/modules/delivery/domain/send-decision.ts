/**
 * Whether a message may go out, asked immediately before its attempt, since a contact may have unsubscribed or a
 * workspace may have been suspended while it was waiting. Keeps sections 2.3, 2.10, 4.3 and 4.10 and the rules of
 * going live.
 */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { holdsPlaceholder } from '../../../language/language.js';
import {
  isCompanyComplete,
  type CompanyInformation,
  type Sender,
  type WorkspaceStatus,
} from '../../workspaces/domain/workspace.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import { missingRequired, type MissingRequired } from '../../templates/domain/preview.js';
import { normalAddress } from './email-address.js';
import type { Objection } from '../../preferences/domain/preferences.js';
import type { SendOptions } from './email-log.js';
import type { EmailOriginKind } from './email-origin.js';
import type { GateRefusal } from './send-gates.js';
import type { UnrenderedMessage } from './rendered-message.js';
import { resolveFrom, type ResolvedFrom, type SendingDomains } from './sender-address.js';

export type SuppressedReason =
  | 'workspace_not_live'
  | 'contact_deleted'
  | 'no_email_address'
  | 'invalid_email_address'
  | 'unsubscribed'
  | `suppressed_${SuppressionReason}`
  | 'company_address_incomplete'
  | Objection['reason']
  | GateRefusal
  | MissingRequired;

export type FailureCode =
  | 'template_not_found'
  | 'template_inactive'
  | 'template_errors'
  | 'unresolved_placeholder'
  | 'invalid_from_address'
  | 'render_failed'
  | 'rejected'
  | 'gave_up'
  | 'internal_error';

export interface SendingWorkspace {
  readonly name: string;
  readonly status: WorkspaceStatus;
  readonly liveAt: Date | null;
  readonly company: CompanyInformation;
  readonly sender: Sender;
}

/** What a template says about its being sent. */
export interface SendableTemplate {
  readonly isActive: boolean;
  readonly hasErrors: boolean;
  /** Its subject or body holds a placeholder in guillemets, literal or as an HTML entity. */
  readonly unresolvedPlaceholder: boolean;
}

export interface SendFacts {
  readonly environment: Environment;
  readonly origin: EmailOriginKind;
  readonly contentType: ContentType;
  readonly options: SendOptions;
  readonly workspace: SendingWorkspace;
  /** Null when the record is gone. */
  readonly contact: {
    readonly email: string | null;
    readonly subscriptionStatus: string;
    /** Its identifier or its address refused mail, whatever its record says: under another name, or before an erasure. */
    readonly hasRefused: boolean;
    /** Why its address is on the list of suppressed ones; null where it is not. */
    readonly suppressedFor: SuppressionReason | null;
  } | null;
  /** What the contact has chosen against the message; asked of promotional mail alone. */
  readonly objection: Objection | null;
  /** Null when no template has the slug any more. */
  readonly template: SendableTemplate | null;
  /** What the gates have found against it. */
  readonly refusedBy: GateRefusal | null;
  readonly domains: SendingDomains;
}

type SenderOfMessage = Omit<Extract<ResolvedFrom, { readonly kind: 'from' }>, 'kind'>;

export interface SuppressedDecision {
  readonly kind: 'suppress';
  readonly reason: SuppressedReason;
}
export interface FailedDecision {
  readonly kind: 'fail';
  readonly code: FailureCode;
  readonly detail: string;
}
/** What keeps a message from being sent. */
export type UnsentDecision = SuppressedDecision | FailedDecision;

export type SendDecision =
  ({ readonly kind: 'send'; readonly to: string } & SenderOfMessage) | UnsentDecision;

const suppress = (reason: SuppressedReason): SuppressedDecision => ({ kind: 'suppress', reason });
const fail = (code: FailureCode, detail: string): FailedDecision => ({ kind: 'fail', code, detail });

/** The decision on one message; the first reason that stands against it is named. */
export function decideSend(facts: SendFacts, now: Date): SendDecision {
  const { workspace, contact, template, environment } = facts;
  // Before all others: what is suppressed for another reason has counted toward the cap, and what is for this one has not.
  if (facts.refusedBy === 'plan_limit_reached') return suppress('plan_limit_reached');
  if (!mayReachPeople(workspace, environment, now)) return suppress('workspace_not_live');

  if (!contact || contact.subscriptionStatus === 'deleted') return suppress('contact_deleted');
  const isUnsubscribed = contact.subscriptionStatus === 'unsubscribed' || contact.hasRefused;
  if (isUnsubscribed && !reachesUnsubscribed(facts)) return suppress('unsubscribed');
  if (facts.objection && heedsChoices(facts)) return suppress(facts.objection.reason);
  if ((contact.email ?? '').trim() === '') return suppress('no_email_address');
  const to = normalAddress((contact.email ?? '').trim());
  if (to === undefined) return suppress('invalid_email_address');
  // Whatever the message says: mail to a dead address, or to who calls it spam, costs all others their repute.
  if (contact.suppressedFor !== null) return suppress(`suppressed_${contact.suppressedFor}`);

  if (facts.contentType === 'promotional' && !isCompanyComplete(workspace.company))
    return suppress('company_address_incomplete');

  if (facts.refusedBy) return suppress(facts.refusedBy);

  const unsendable = unsendableContent(template, facts.options.subject);
  if (unsendable) return unsendable;

  const fallbackName = workspace.company.name ?? workspace.name;
  const sender = resolveFrom(
    { ...workspace.sender, ...facts.options.sender },
    fallbackName,
    environment,
    facts.domains,
  );
  if (sender.kind === 'refused')
    return fail('invalid_from_address', `The sender's ${sender.field} is malformed or empty.`);
  return { ...sender, kind: 'send', to };
}

/** Why nobody can be sent this content, whoever it is for; undefined where anybody can. */
export function unsendableContent(
  template: SendableTemplate | null,
  subject: string | undefined,
): FailedDecision | undefined {
  if (!template) return fail('template_not_found', 'The template does not exist.');
  if (!template.isActive) return fail('template_inactive', 'The template is inactive.');
  if (template.unresolvedPlaceholder || holdsPlaceholder(subject ?? ''))
    return fail('unresolved_placeholder', 'The subject or the body contains a placeholder in guillemets.');
  if (template.hasErrors) return fail('template_errors', 'The template has syntax errors.');
  return undefined;
}

/** What a message comes to whose parts could not be rendered. */
export function unsentText(rendered: UnrenderedMessage): UnsentDecision {
  if (rendered.kind === 'suppressed') return suppress(missingRequired(rendered.field));
  return fail('render_failed', `${rendered.error.code}: ${rendered.error.message}`);
}

/**
 * Whether a message goes to who has unsubscribed: one of a step that says so, and a transactional one that the application
 * asks for by itself, such as a receipt or a new password.
 */
function reachesUnsubscribed({ origin, contentType, options }: SendFacts): boolean {
  const isAskedFor = origin === 'direct' || origin === 'resend';
  return (
    options.emailSendSettings?.sendToUnsubscribed === true || (isAskedFor && contentType === 'transactional')
  );
}

/**
 * Whether topics and pauses are asked about a message: not of transactional mail, and not where a step is set to go to those
 * who want no mail at all.
 */
export function heedsChoices({ contentType, options }: Pick<SendFacts, 'contentType' | 'options'>): boolean {
  return contentType === 'promotional' && options.emailSendSettings?.sendToUnsubscribed !== true;
}

/** Whether the workspace's mail may leave the house, or stays in the sandbox and needs no leave. */
export function mayReachPeople(
  { liveAt }: Pick<SendingWorkspace, 'liveAt'>,
  environment: Environment,
  now: Date,
): boolean {
  return environment === 'test' || (liveAt !== null && liveAt <= now);
}
