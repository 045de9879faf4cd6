/** The caller's workspace in GraphQL. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import { planOf, ratesOf } from '../../limits/domain/plan.js';
import { CONTACT_TIME_ZONE, isCompanyComplete, type Workspace } from '../domain/workspace.js';

@Output({
  graphql: 'CompanyInformation',
  description: 'The company details shown in the footer of commercial email.',
})
class CompanyInformationOutput {
  @Out('String', { optional: true }) name?: string;
  @Out('String', { optional: true }) addressLine1?: string;
  @Out('String', { optional: true }) addressLine2?: string;
  @Out('String', { optional: true }) city?: string;
  @Out('String', { optional: true }) region?: string;
  @Out('String', { optional: true }) postalCode?: string;
  @Out('String', { optional: true }) country?: string;
  @Out('Boolean', { description: 'Whether the details are complete enough for commercial email.' })
  complete: boolean;
}

@Output({ graphql: 'Sender' })
class SenderOutput {
  @Out('String', { optional: true }) fromEmail?: string;
  @Out('String', { optional: true }) fromName?: string;
  @Out('String', { optional: true }) replyTo?: string;
}

@Output({
  graphql: 'FrequencyCap',
  description: 'The maximum number of emails per contact in a period of hours.',
})
class FrequencyCapOutput {
  @Out('Int') max: number;
  @Out('Int') periodHours: number;
}

@Output({ graphql: 'DoNotDisturb', description: 'Hours during which no email is sent, as HH:MM.' })
class DoNotDisturbOutput {
  @Out('String') start: string;
  @Out('String') end: string;
  @Out('String', { description: 'An IANA time zone, or `contact` for the contact’s own time zone.' })
  timezone: string;
}

@Output({ graphql: 'Tracking', description: 'Open and click tracking.' })
class TrackingOutput {
  @Out('Boolean') opens: boolean;
  @Out('Boolean') clicks: boolean;
  @Out('Boolean', { description: 'Whether transactional mail is tracked too.' }) transactional: boolean;
}

@Output({ graphql: 'WorkspaceSettings' })
class WorkspaceSettingsOutput {
  @Out(FrequencyCapOutput, { optional: true }) frequencyCap?: FrequencyCapOutput;
  @Out(DoNotDisturbOutput, { nullable: true }) dnd: DoNotDisturbOutput | null;
  @Out('String', {
    optional: true,
    description: 'IANA time zone used for contacts without their own. UTC if not set.',
  })
  timezone?: string;
  @Out(TrackingOutput, { description: 'Nothing is tracked unless enabled.' }) tracking: TrackingOutput;
  @Out(['String'], {
    optional: true,
    description:
      'Transports used for live mail, in order. Null for all of the operator’s transports in the operator’s ' +
      'order.',
  })
  mailTransports?: readonly string[];
}

@Output({
  graphql: 'RateLimits',
  description: 'Request limits; null means unlimited. The stricter limit applies.',
})
class RateLimitsOutput {
  @Out('Int', { nullable: true, description: 'Requests per minute, for each API key and each user.' })
  perMinute: number | null;
  @Out('Int', { nullable: true, description: 'Requests per hour, for each API key and each user.' })
  perHour: number | null;
  @Out('Int', {
    nullable: true,
    description: 'Requests per minute, shared by all API keys, for endpoints other than events and send.',
  })
  general: number | null;
  @Out('Int', {
    nullable: true,
    description: 'Event requests per minute, shared by all API keys. A batch counts as one.',
  })
  events: number | null;
  @Out('Int', {
    nullable: true,
    description: 'POST /v1/send requests per minute, shared by all API keys.',
  })
  send: number | null;
}

@Output({ graphql: 'Workspace' })
export class WorkspaceOutput {
  @Out('ID') id: string;
  @Out('String') name: string;
  @Out('String') plan: string;
  @Out('String', { description: 'active or suspended' }) status: string;
  @Out('String', { nullable: true }) suspendedReason: string | null;
  @Out('Boolean') live: boolean;
  @Out('DateTime', { nullable: true }) liveAt: Date | null;
  @Out('DateTime', {
    nullable: true,
    description:
      'When all data of the workspace is deleted. Null unless its owner has requested deletion. The workspace ' +
      'is suspended until then.',
  })
  deletionAt: Date | null;
  @Out(CompanyInformationOutput) company: CompanyInformationOutput;
  @Out(SenderOutput) sender: SenderOutput;
  @Out(WorkspaceSettingsOutput) settings: WorkspaceSettingsOutput;
  @Out(['String'], {
    description: 'Names of the operator’s transports for live mail, in the operator’s order.',
  })
  mailTransports: readonly string[];
  @Out(RateLimitsOutput, { description: 'Limits from the plan, or as set by the operator.' })
  rateLimits: RateLimitsOutput;
  @Out('String', { description: 'The environment of this request: live or test.' }) environment: string;
}

export function workspaceOutput(
  workspace: Workspace,
  environment: Environment,
  mailTransports: readonly string[],
): WorkspaceOutput {
  const { company, settings, liveAt } = workspace;
  const { dnd, tracking = { opens: false, clicks: false, transactional: false } } = settings;
  return {
    ...workspace,
    live: liveAt !== null,
    company: { ...company, complete: isCompanyComplete(company) },
    settings: {
      ...settings,
      dnd: dnd ? { ...dnd, timezone: dnd.timezone ?? CONTACT_TIME_ZONE } : null,
      tracking,
    },
    mailTransports,
    rateLimits: rateLimitsOf(workspace),
    environment,
  };
}

function rateLimitsOf({ plan, customRates }: Workspace): RateLimitsOutput {
  const { perCaller, perWorkspace } = ratesOf(planOf(plan), customRates);
  const finiteOrNull = (rate: number): number | null => (Number.isFinite(rate) ? rate : null);
  return {
    perMinute: finiteOrNull(perCaller.minute),
    perHour: finiteOrNull(perCaller.hour),
    general: finiteOrNull(perWorkspace.general),
    events: finiteOrNull(perWorkspace.events),
    send: finiteOrNull(perWorkspace.send),
  };
}
