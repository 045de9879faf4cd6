/**
 * Creates a run from a request: for the current version, with the subject and preheader that the caller gives, if any.
 */
import type { TenantScope } from '../../../../kernel/tenant-scope.js';
import type { Template } from '../../../templates/domain/template.js';
import type { InspectTrigger, NewInspectJob, RunRequest } from './inspect-job.js';

export interface NewJobInput {
  readonly id: string;
  /** The environment is that of the caller. */
  readonly scope: TenantScope;
  readonly template: Pick<
    Template,
    'id' | 'slug' | 'version' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
  >;
  /** With the record id of the contact. */
  readonly request: Omit<RunRequest, 'templateSlug'>;
  readonly trigger: InspectTrigger;
  readonly actor: string;
}

/** A run without a charge yet. */
export function newJob({ id, scope, template, request, trigger, actor }: NewJobInput): NewInspectJob {
  const { channel, mode, contactId } = request;
  const isEmail = channel === 'email';
  const givenSubject = isEmail ? request.subject : null;
  const { subject, bodyHtml, bodyText, templateLanguage } = template;
  return {
    id,
    environment: scope.environment,
    templateId: template.id,
    templateSlug: template.slug,
    templateVersion: template.version,
    content: {
      ...{ subject: givenSubject ?? subject, bodyHtml, bodyText, templateLanguage },
      ...(givenSubject === null ? {} : { ownSubject: subject }),
    },
    channel,
    mode,
    trigger,
    subjectGiven: givenSubject !== null,
    preheader: isEmail ? request.preheader : null,
    contactId,
    creditsCharged: 0,
    requestedBy: actor,
  };
}

/** The run for a template that was saved, or is about to be sent: its email, quick, with sample values. */
export const AUTOMATIC_REQUEST: NewJobInput['request'] = {
  channel: 'email',
  mode: 'quick',
  subject: null,
  preheader: null,
  contactId: null,
};
