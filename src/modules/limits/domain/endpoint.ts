/** The rate limits that apply to an endpoint, section 8.1. */
import type { EndpointGroup } from './plan.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The limit of one endpoint in addition to its group's, for the whole workspace. */
export interface EndpointLimit {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

export interface EndpointClass {
  readonly group: EndpointGroup;
  readonly own: EndpointLimit | undefined;
  /** Whether successful requests are never counted or rejected, only failed ones. */
  readonly countsOnlyRejections: boolean;
}

/** Exactly the exempt paths of section 8.1. */
const EXEMPT = new Set(['/health', '/health/ready', '/health/live', '/metrics', '/docs', '/openapi.json']);

/**
 * Opt-outs, links in emails, and provider webhooks about messages and payments are accepted regardless of other traffic
 * from the network; their signature is the credential.
 */
const NEVER_REJECTED =
  /^(?:(?:GET|POST) \/v1\/public\/(?:unsubscribe|reports\/(?:stop|confirm))|(?:GET|HEAD) \/t\/[co]|POST \/v1\/webhooks\/(?:email|payment|billing))$/;

const OWN_LIMITS: Readonly<Record<string, EndpointLimit>> = {
  'POST /v1/contacts/bulk': { name: 'contacts_bulk', limit: 10, windowMs: MINUTE },
  'GET /v1/analytics/export': { name: 'analytics_export', limit: 5, windowMs: HOUR },
  'POST /v1/segments/:id/evaluate': { name: 'segment_evaluate', limit: 30, windowMs: MINUTE },
};

const GROUPS: Readonly<Record<string, EndpointGroup>> = {
  'POST /v1/events': 'events',
  'POST /v1/events/batch': 'events',
  'POST /v1/send': 'send',
};

/**
 * The class of an endpoint; undefined if it is exempt. What is served besides the API (static files of our pages, the
 * key set) is never rejected: for these paths, only missing files are counted.
 * @param route the route's pattern, with parameters as `:name`; without a route, the requested path.
 */
export function classOf(method: string, route: string): EndpointClass | undefined {
  if (EXEMPT.has(route)) return undefined;
  // A HEAD request does all the work of a GET.
  const endpoint = `${method === 'HEAD' ? 'GET' : method} ${route.replace(/:\w+/g, ':id')}`;
  return {
    group: GROUPS[endpoint] ?? 'general',
    own: OWN_LIMITS[endpoint],
    countsOnlyRejections:
      NEVER_REJECTED.test(endpoint) || !(route.startsWith('/v1/') || route === '/graphql'),
  };
}
