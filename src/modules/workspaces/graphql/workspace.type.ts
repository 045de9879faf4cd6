/** The type of the caller's workspace in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { planOf, ratesOf } from '../../limits/domain/plan.js';
import {
  isCompanyComplete,
  CONTACT_TIME_ZONE,
  type Workspace,
  type WorkspaceStatus,
} from '../domain/workspace.js';

@ObjectType('CompanyInformation', {
  description: 'The company details shown in the footer of commercial email.',
})
export class CompanyInformationType {
  @Field(() => String, { nullable: true }) name: string | null;
  @Field(() => String, { nullable: true }) addressLine1: string | null;
  @Field(() => String, { nullable: true }) addressLine2: string | null;
  @Field(() => String, { nullable: true }) city: string | null;
  @Field(() => String, { nullable: true }) region: string | null;
  @Field(() => String, { nullable: true }) postalCode: string | null;
  @Field(() => String, { nullable: true }) country: string | null;
  @Field({ description: 'Whether the details are complete enough for commercial email.' }) complete: boolean;
}

@ObjectType('Sender')
export class SenderType {
  @Field(() => String, { nullable: true }) fromEmail: string | null;
  @Field(() => String, { nullable: true }) fromName: string | null;
  @Field(() => String, { nullable: true }) replyTo: string | null;
}

@ObjectType('FrequencyCap', { description: 'The maximum number of emails per contact in a period of hours.' })
export class FrequencyCapType {
  @Field(() => Int) max: number;
  @Field(() => Int) periodHours: number;
}

@ObjectType('DoNotDisturb', { description: 'Hours during which no email is sent, as HH:MM.' })
export class DoNotDisturbType {
  @Field() start: string;
  @Field() end: string;
  @Field({ description: 'An IANA time zone, or `contact` for the contact’s own time zone.' })
  timezone: string;
}

@ObjectType('Tracking', { description: 'Open and click tracking.' })
export class TrackingType {
  @Field() opens: boolean;
  @Field() clicks: boolean;
  @Field({ description: 'Whether transactional mail is tracked too.' }) transactional: boolean;
}

@ObjectType('WorkspaceSettings')
export class WorkspaceSettingsType {
  @Field(() => FrequencyCapType, { nullable: true }) frequencyCap: FrequencyCapType | null;
  @Field(() => DoNotDisturbType, { nullable: true }) dnd: DoNotDisturbType | null;
  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone used for contacts without their own. UTC if not set.',
  })
  timezone: string | null;
  @Field(() => TrackingType, { description: 'Nothing is tracked unless enabled.' }) tracking: TrackingType;
  @Field(() => [String], {
    nullable: true,
    description:
      'Transports used for live mail, in order. Null for all of the operator’s transports in the operator’s ' +
      'order.',
  })
  mailTransports: readonly string[] | null;
}

@ObjectType('RateLimits', {
  description: 'Request limits; null means unlimited. The stricter limit applies.',
})
export class RateLimitsType {
  @Field(() => Int, { nullable: true, description: 'Requests per minute, for each API key and each user.' })
  perMinute: number | null;
  @Field(() => Int, { nullable: true, description: 'Requests per hour, for each API key and each user.' })
  perHour: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Requests per minute, shared by all API keys, for endpoints other than events and send.',
  })
  general: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Event requests per minute, shared by all API keys. A batch counts as one.',
  })
  events: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'POST /v1/send requests per minute, shared by all API keys.',
  })
  send: number | null;
}

@ObjectType('Workspace')
export class WorkspaceType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field() plan: string;
  @Field(() => String, { description: 'active or suspended' }) status: WorkspaceStatus;
  @Field(() => String, { nullable: true }) suspendedReason: string | null;
  @Field() live: boolean;
  @Field(() => GraphQLISODateTime, { nullable: true }) liveAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When all data of the workspace is deleted. Null unless its owner has requested deletion. The workspace ' +
      'is suspended until then.',
  })
  deletionAt: Date | null;

  @Field(() => CompanyInformationType) company: CompanyInformationType;
  @Field(() => SenderType) sender: SenderType;
  @Field(() => WorkspaceSettingsType) settings: WorkspaceSettingsType;
  @Field(() => [String], {
    description: 'Names of the operator’s transports for live mail, in the operator’s order.',
  })
  mailTransports: readonly string[];
  @Field(() => RateLimitsType, { description: 'Limits from the plan, or as set by the operator.' })
  rateLimits: RateLimitsType;
  @Field(() => String, { description: 'The environment of this request: live or test.' })
  environment: Environment;
}

export function workspaceTypeOf(
  workspace: Workspace,
  environment: Environment,
  mailTransports: readonly string[],
): WorkspaceType {
  const { company, sender, settings } = workspace;
  return {
    id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    status: workspace.status,
    suspendedReason: workspace.suspendedReason,
    live: workspace.liveAt !== null,
    liveAt: workspace.liveAt,
    deletionAt: workspace.deletionAt,
    company: {
      name: company.name ?? null,
      addressLine1: company.addressLine1 ?? null,
      addressLine2: company.addressLine2 ?? null,
      city: company.city ?? null,
      region: company.region ?? null,
      postalCode: company.postalCode ?? null,
      country: company.country ?? null,
      complete: isCompanyComplete(company),
    },
    sender: {
      fromEmail: sender.fromEmail ?? null,
      fromName: sender.fromName ?? null,
      replyTo: sender.replyTo ?? null,
    },
    settings: {
      frequencyCap: settings.frequencyCap ?? null,
      dnd: settings.dnd ? { ...settings.dnd, timezone: settings.dnd.timezone ?? CONTACT_TIME_ZONE } : null,
      timezone: settings.timezone ?? null,
      tracking: settings.tracking ?? { opens: false, clicks: false, transactional: false },
      mailTransports: settings.mailTransports ?? null,
    },
    mailTransports,
    rateLimits: rateLimitsOf(workspace),
    environment,
  };
}

function rateLimitsOf({ plan, customRates }: Workspace): RateLimitsType {
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
