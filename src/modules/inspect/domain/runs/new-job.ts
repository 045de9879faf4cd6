/** A run as it is asked for: of the version that there is, with a subject and a preheader where the caller gives them. */
import type { TenantScope } from '../../../../kernel/tenant-scope.js';
import type { Template } from '../../../templates/domain/template.js';
import type { InspectTrigger, NewInspectJob, RunRequest } from './inspect-job.js';

export interface JobOrder {
  readonly id: string;
  /** The environment is that of whoever asks. */
  readonly scope: TenantScope;
  readonly template: Pick<
    Template,
    'id' | 'slug' | 'version' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
  >;
  /** The contact by its record id. */
  readonly request: Omit<RunRequest, 'templateSlug'>;
  readonly trigger: InspectTrigger;
  readonly actor: string;
}

/** A run that costs nothing yet. */
export function newJob({ id, scope, template, request, trigger, actor }: JobOrder): NewInspectJob {
  const { channel, mode, contactId } = request;
  const isEmail = channel === 'email';
  const given = isEmail ? request.subject : null;
  const { subject, bodyHtml, bodyText, templateLanguage } = template;
  return {
    id,
    environment: scope.environment,
    templateId: template.id,
    templateSlug: template.slug,
    templateVersion: template.version,
    content: {
      ...{ subject: given ?? subject, bodyHtml, bodyText, templateLanguage },
      ...(given === null ? {} : { ownSubject: subject }),
    },
    channel,
    mode,
    trigger,
    subjectGiven: given !== null,
    preheader: isEmail ? request.preheader : null,
    contactId,
    creditsCharged: 0,
    requestedBy: actor,
  };
}

/** What is examined of a template that was saved, or is about to be sent: its email, quickly, with sample values. */
export const OF_ITSELF: JobOrder['request'] = {
  channel: 'email',
  mode: 'quick',
  subject: null,
  preheader: null,
  contactId: null,
};
