/**
 * Decides whether a message may be sent. It runs immediately before the attempt, because a contact may have
 * unsubscribed or a workspace may have been suspended while the message waited. Implements sections 2.3, 2.10, 4.3 and
 * 4.10 and the rules of going live.
 */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { containsPlaceholder } from '../../../language/language.js';
import {
  isCompanyComplete,
  type CompanyInformation,
  type Sender,
  type WorkspaceStatus,
} from '../../workspaces/domain/workspace.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import { missingRequired, type MissingRequired } from '../../templates/domain/preview.js';
import { normalAddress } from './email-address.js';
import type { PreferenceBlock } from '../../preferences/domain/preferences.js';
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
  | PreferenceBlock['reason']
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

/** The part of a template that the decision needs. */
export interface SendableTemplate {
  readonly isActive: boolean;
  readonly hasErrors: boolean;
  /** Whether its subject or body contains a placeholder in guillemets, literal or as an HTML entity. */
  readonly unresolvedPlaceholder: boolean;
}

export interface SendInputs {
  readonly environment: Environment;
  readonly origin: EmailOriginKind;
  readonly contentType: ContentType;
  readonly options: SendOptions;
  readonly workspace: SendingWorkspace;
  /** Null when the record is gone. */
  readonly contact: {
    readonly email: string | null;
    readonly subscriptionStatus: string;
    /**
     * Whether its identifier or address has opted out, regardless of its record: under another name, or before an
     * erasure.
     */
    readonly hasRefused: boolean;
    /** Why its address is suppressed; null if it is not. */
    readonly suppressedFor: SuppressionReason | null;
  } | null;
  /** The contact's topic choice or pause against the message; checked only for promotional mail. */
  readonly objection: PreferenceBlock | null;
  /** Null if no template has the slug any more. */
  readonly template: SendableTemplate | null;
  /** Why the gates refuse the message. */
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
/** A decision against sending. */
export type UnsentDecision = SuppressedDecision | FailedDecision;

export type SendDecision =
  ({ readonly kind: 'send'; readonly to: string } & SenderOfMessage) | UnsentDecision;

const suppress = (reason: SuppressedReason): SuppressedDecision => ({ kind: 'suppress', reason });
const fail = (code: FailureCode, detail: string): FailedDecision => ({ kind: 'fail', code, detail });

/** Decides about one message. If several reasons are against it, the first is reported. */
export function decideSend(inputs: SendInputs, now: Date): SendDecision {
  const { workspace, contact, template, environment } = inputs;
  // First, because only this reason leaves the message uncharged. Any other suppressed message counts toward the plan's
  // monthly emails.
  if (inputs.refusedBy === 'plan_limit_reached') return suppress('plan_limit_reached');
  if (!mayReachPeople(workspace, environment, now)) return suppress('workspace_not_live');

  if (!contact || contact.subscriptionStatus === 'deleted') return suppress('contact_deleted');
  const isUnsubscribed = contact.subscriptionStatus === 'unsubscribed' || contact.hasRefused;
  if (isUnsubscribed && !reachesUnsubscribed(inputs)) return suppress('unsubscribed');
  if (inputs.objection && respectsPreferences(inputs)) return suppress(inputs.objection.reason);
  if ((contact.email ?? '').trim() === '') return suppress('no_email_address');
  const to = normalAddress((contact.email ?? '').trim());
  if (to === undefined) return suppress('invalid_email_address');
  // Regardless of the content: mail to a dead address, or to a person who reports it as spam, harms the reputation of
  // all senders.
  if (contact.suppressedFor !== null) return suppress(`suppressed_${contact.suppressedFor}`);

  if (inputs.contentType === 'promotional' && !isCompanyComplete(workspace.company))
    return suppress('company_address_incomplete');

  if (inputs.refusedBy) return suppress(inputs.refusedBy);

  const unsendable = unsendableContent(template, inputs.options.subject);
  if (unsendable) return unsendable;

  const fallbackName = workspace.company.name ?? workspace.name;
  const sender = resolveFrom(
    { ...workspace.sender, ...inputs.options.sender },
    fallbackName,
    environment,
    inputs.domains,
  );
  if (sender.kind === 'refused')
    return fail('invalid_from_address', `The sender's ${sender.field} is malformed or empty.`);
  return { ...sender, kind: 'send', to };
}

/** Why this content cannot be sent to anyone; undefined if it can. */
export function unsendableContent(
  template: SendableTemplate | null,
  subject: string | undefined,
): FailedDecision | undefined {
  if (!template) return fail('template_not_found', 'The template does not exist.');
  if (!template.isActive) return fail('template_inactive', 'The template is inactive.');
  if (template.unresolvedPlaceholder || containsPlaceholder(subject ?? ''))
    return fail('unresolved_placeholder', 'The subject or the body contains a placeholder in guillemets.');
  if (template.hasErrors) return fail('template_errors', 'The template has syntax errors.');
  return undefined;
}

/** The outcome of a message whose parts could not be rendered. */
export function unsentText(rendered: UnrenderedMessage): UnsentDecision {
  if (rendered.kind === 'suppressed') return suppress(missingRequired(rendered.field));
  return fail('render_failed', `${rendered.error.code}: ${rendered.error.message}`);
}

/**
 * Whether a message also goes to unsubscribed contacts: if its step is set to, and if it is a transactional message
 * that the application requested directly, such as a receipt or a password reset.
 */
function reachesUnsubscribed({ origin, contentType, options }: SendInputs): boolean {
  const isRequested = origin === 'direct' || origin === 'resend';
  return (
    options.emailSendSettings?.sendToUnsubscribed === true || (isRequested && contentType === 'transactional')
  );
}

/**
 * Whether topics and pauses apply to a message: not to transactional mail, and not if the step is set to reach contacts
 * who want no mail at all.
 */
export function respectsPreferences({
  contentType,
  options,
}: Pick<SendInputs, 'contentType' | 'options'>): boolean {
  return contentType === 'promotional' && options.emailSendSettings?.sendToUnsubscribed !== true;
}

/** Whether the workspace's mail may go to real recipients. Mail of the sandbox stays inside and needs no permission. */
export function mayReachPeople(
  { liveAt }: Pick<SendingWorkspace, 'liveAt'>,
  environment: Environment,
  now: Date,
): boolean {
  return environment === 'test' || (liveAt !== null && liveAt <= now);
}
