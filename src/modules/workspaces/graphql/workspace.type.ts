/** The caller's workspace as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { planOf, ratesOf } from '../../limits/domain/plan.js';
import {
  isCompanyComplete,
  ZONE_OF_CONTACT,
  type Workspace,
  type WorkspaceStatus,
} from '../domain/workspace.js';

@ObjectType('CompanyInformation', { description: 'The company as a commercial footer names it.' })
export class CompanyInformationType {
  @Field(() => String, { nullable: true }) name: string | null;
  @Field(() => String, { nullable: true }) addressLine1: string | null;
  @Field(() => String, { nullable: true }) addressLine2: string | null;
  @Field(() => String, { nullable: true }) city: string | null;
  @Field(() => String, { nullable: true }) region: string | null;
  @Field(() => String, { nullable: true }) postalCode: string | null;
  @Field(() => String, { nullable: true }) country: string | null;
  @Field({ description: 'Whether commercial email may carry it.' }) complete: boolean;
}

@ObjectType('Sender')
export class SenderType {
  @Field(() => String, { nullable: true }) fromEmail: string | null;
  @Field(() => String, { nullable: true }) fromName: string | null;
  @Field(() => String, { nullable: true }) replyTo: string | null;
}

@ObjectType('FrequencyCap', { description: 'At most so many emails to one contact in so many hours.' })
export class FrequencyCapType {
  @Field(() => Int) max: number;
  @Field(() => Int) periodHours: number;
}

@ObjectType('DoNotDisturb', { description: 'Hours in which no email starts, as HH:MM.' })
export class DoNotDisturbType {
  @Field() start: string;
  @Field() end: string;
  @Field({ description: 'An IANA time zone, or contact, for the contact’s own.' }) timezone: string;
}

@ObjectType('Tracking', { description: 'What is noted of people’s reading.' })
export class TrackingType {
  @Field() opens: boolean;
  @Field() clicks: boolean;
  @Field({ description: 'Whether of transactional mail too.' }) transactional: boolean;
}

@ObjectType('WorkspaceSettings')
export class WorkspaceSettingsType {
  @Field(() => FrequencyCapType, { nullable: true }) frequencyCap: FrequencyCapType | null;
  @Field(() => DoNotDisturbType, { nullable: true }) dnd: DoNotDisturbType | null;
  @Field(() => String, {
    nullable: true,
    description: 'The IANA time zone of contacts without one of their own; UTC where it is not set.',
  })
  timezone: string | null;
  @Field(() => TrackingType, { description: 'Nothing is noted unless it is set.' }) tracking: TrackingType;
  @Field(() => [String], {
    nullable: true,
    description:
      'Transports that live mail may take, in order; null for all of the operator’s, in its order.',
  })
  mailTransports: readonly string[] | null;
}

@ObjectType('RateLimits', {
  description: 'Requests that are allowed; null where nothing limits them. Whichever has less room binds.',
})
export class RateLimitsType {
  @Field(() => Int, { nullable: true, description: 'Of each key and of each person, in any minute.' })
  perMinute: number | null;
  @Field(() => Int, { nullable: true, description: 'Of each key and of each person, in any hour.' })
  perHour: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Of all keys together in any minute, but for events and send.',
  })
  general: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Of all keys together in any minute: events, singly or in batches.',
  })
  events: number | null;
  @Field(() => Int, { nullable: true, description: 'Of all keys together in any minute: POST /v1/send.' })
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
      'When everything of it is deleted, where its owner has ordered that; it is suspended until then.',
  })
  deletionAt: Date | null;

  @Field(() => CompanyInformationType) company: CompanyInformationType;
  @Field(() => SenderType) sender: SenderType;
  @Field(() => WorkspaceSettingsType) settings: WorkspaceSettingsType;
  @Field(() => [String], { description: 'Names of the operator’s transports of live mail, in its order.' })
  mailTransports: readonly string[];
  @Field(() => RateLimitsType, { description: 'Of the plan, or as the operator has set them.' })
  rateLimits: RateLimitsType;
  @Field(() => String, { description: 'The environment of this request: live or test.' })
  environment: Environment;
}

/** What the dashboard sees of a workspace. */
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
      dnd: settings.dnd ? { ...settings.dnd, timezone: settings.dnd.timezone ?? ZONE_OF_CONTACT } : null,
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
  const shown = (rate: number): number | null => (Number.isFinite(rate) ? rate : null);
  return {
    perMinute: shown(perCaller.minute),
    perHour: shown(perCaller.hour),
    general: shown(perWorkspace.general),
    events: shown(perWorkspace.events),
    send: shown(perWorkspace.send),
  };
}
