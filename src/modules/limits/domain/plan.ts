/** The plans and their limits, sections 8.1 and 8.2, as data; and the error when a cap is reached. */
import { DomainError } from '../../../kernel/domain-error.js';
import type { CustomRates } from '../../../kernel/principal.js';
import { DAY } from '../../../kernel/duration.js';

export const PLAN_NAMES = ['free', 'starter', 'growth', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** Endpoint groups with their own window (scheme B). */
export const ENDPOINT_GROUPS = ['general', 'events', 'send'] as const;
export type EndpointGroup = (typeof ENDPOINT_GROUPS)[number];

/** What counts towards a plan's caps. */
export type LimitType =
  'emails' | 'events' | 'contacts' | 'api_keys' | 'members' | 'flows' | 'inspect_credits' | 'migrations';

export interface Plan {
  readonly name: PlanName;
  /** Scheme A: requests of one key, or of one user. Infinity where the specification says unlimited or custom. */
  readonly perCaller: { readonly minute: number; readonly hour: number };
  /** Scheme B: requests per minute of one workspace, by group. */
  readonly perWorkspace: Readonly<Record<EndpointGroup, number>>;
  /** Emails, events and inspect credits are per month. Infinity means unlimited. */
  readonly caps: Readonly<Record<LimitType, number>>;
  readonly retentionDays: number;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: {
    name: 'free',
    perCaller: { minute: 60, hour: 1_000 },
    perWorkspace: { general: 100, events: 1_000, send: 100 },
    caps: {
      emails: 1_000,
      events: 10_000,
      contacts: 1_000,
      api_keys: 2,
      members: 1,
      flows: 5,
      inspect_credits: 5,
      migrations: 0,
    },
    retentionDays: 30,
  },
  starter: {
    name: 'starter',
    perCaller: { minute: 300, hour: 10_000 },
    perWorkspace: { general: 1_000, events: 5_000, send: 1_000 },
    caps: {
      emails: 10_000,
      events: 100_000,
      contacts: 10_000,
      api_keys: 10,
      members: 3,
      flows: 25,
      inspect_credits: 25,
      migrations: UNLIMITED,
    },
    retentionDays: 90,
  },
  growth: {
    name: 'growth',
    perCaller: { minute: 1_000, hour: 50_000 },
    perWorkspace: { general: 10_000, events: 50_000, send: 10_000 },
    caps: {
      emails: 100_000,
      events: 1_000_000,
      contacts: 100_000,
      api_keys: 50,
      members: 10,
      flows: 100,
      inspect_credits: 100,
      migrations: UNLIMITED,
    },
    retentionDays: 365,
  },
  enterprise: {
    name: 'enterprise',
    perCaller: { minute: UNLIMITED, hour: UNLIMITED },
    perWorkspace: { general: UNLIMITED, events: UNLIMITED, send: UNLIMITED },
    caps: {
      emails: UNLIMITED,
      events: UNLIMITED,
      contacts: UNLIMITED,
      api_keys: UNLIMITED,
      members: UNLIMITED,
      flows: UNLIMITED,
      inspect_credits: UNLIMITED,
      migrations: UNLIMITED,
    },
    retentionDays: UNLIMITED,
  },
};

/** Returns the plan of this name; an unknown plan has the limits of the free plan. */
export function planOf(name: string): Plan {
  return PLANS[PLAN_NAMES.find((known) => known === name) ?? 'free'];
}

/** The request limits of a workspace and its callers; Infinity if unlimited. */
export type Rates = Pick<Plan, 'perCaller' | 'perWorkspace'>;

/** Whether the operator sets the plan's rates. Custom rates are ignored on any other plan, however they were stored. */
export function hasCustomRates({ name }: Plan): boolean {
  return name === 'enterprise';
}

/** The highest custom rate. */
export const HIGHEST_CUSTOM_RATE = 1_000_000_000;

/** Returns the rates of a workspace on the plan, with its custom rates if the plan allows them. */
export function ratesOf(plan: Plan, custom: CustomRates): Rates {
  if (!hasCustomRates(plan)) return plan;
  return {
    perCaller: {
      minute: custom.perMinute ?? UNLIMITED,
      hour: custom.perHour ?? UNLIMITED,
    },
    perWorkspace: {
      general: custom.general ?? UNLIMITED,
      events: custom.events ?? UNLIMITED,
      send: custom.send ?? UNLIMITED,
    },
  };
}

/**
 * The highest rate that one key may be given. The specification leaves the number open; above the workspace's largest
 * window, an override would have no effect, so that is the maximum.
 * @returns requests per minute, Infinity when there is no maximum.
 */
export function highestKeyRate({ perWorkspace }: Pick<Rates, 'perWorkspace'>): number {
  return Math.max(perWorkspace.general, perWorkspace.events, perWorkspace.send);
}

const LIMIT_LABELS: Readonly<Record<LimitType, string>> = {
  emails: 'emails per month',
  events: 'events per month',
  contacts: 'contacts',
  api_keys: 'API keys',
  members: 'members',
  flows: 'flows',
  inspect_credits: 'inspect credits per month',
  migrations: 'migrations',
};

/**
 * Checks that one more of the kind is allowed.
 * @param current the existing number.
 * @throws DomainError plan_limit_reached, as `limitReached`.
 */
export function assertWithin(limitType: LimitType, current: number, plan: Plan): void {
  if (current >= plan.caps[limitType]) throw limitReached(limitType, current, plan);
}

/** The message for a plan without any of the kind; names the lowest plan that has some. */
function notIncludedMessage(limitType: LimitType, plan: Plan): string {
  const enough = PLAN_NAMES.find((name) => PLANS[name].caps[limitType] > 0) ?? 'enterprise';
  return `The ${plan.name} plan does not include ${LIMIT_LABELS[limitType]}: upgrade to the ${enough} plan or higher.`;
}

/** The error when the cap is reached: plan_limit_reached with limit_type, current, maximum and plan. */
export function limitReached(limitType: LimitType, current: number, plan: Plan): DomainError {
  const maximum = plan.caps[limitType];
  return new DomainError(
    'plan_limit_reached',
    maximum === 0
      ? notIncludedMessage(limitType, plan)
      : `The ${plan.name} plan allows ${maximum} ${LIMIT_LABELS[limitType]}.`,
    { limit_type: limitType, current, maximum, plan: plan.name },
  );
}

/** The period of monthly caps, a UTC calendar month: the first day of the month of a moment, as `YYYY-MM-DD`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}

/** Days for which former plans still apply. */
export const GRACE_DAYS = 30;

export interface RetentionPlans {
  readonly plan: string;
  /** The plans of recent changes that lie within the grace period of each other. */
  readonly formerPlans: readonly string[];
  /** When the plan last changed; null if it never did. */
  readonly planChangedAt: Date | null;
}

/**
 * Events received before this moment are deleted now, section 8.2; undefined if none are. For thirty days after a plan
 * change, the retention of the former plans applies if it is longer, so that a late payment or a change of mind loses
 * no data.
 */
export function deletedUntil(
  { plan, formerPlans, planChangedAt }: RetentionPlans,
  now: Date,
): Date | undefined {
  const isInGrace = planChangedAt !== null && now.getTime() < planChangedAt.getTime() + GRACE_DAYS * DAY;
  const days = Math.max(
    ...[plan, ...(isInGrace ? formerPlans : [])].map((name) => planOf(name).retentionDays),
  );
  return Number.isFinite(days) ? new Date(now.getTime() - days * DAY) : undefined;
}
