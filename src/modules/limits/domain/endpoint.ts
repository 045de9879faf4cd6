/** Which rate limits an endpoint falls under, section 8.1. */
import type { EndpointGroup } from './plan.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A limit that one endpoint has beside its group's, for the whole workspace. */
export interface EndpointLimit {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

export interface EndpointClass {
  readonly group: EndpointGroup;
  readonly own: EndpointLimit | undefined;
  /** What is answered well is never refused nor counted, only what is not. */
  readonly refusalsOnly: boolean;
}

/** Section 8.1 names them, and no others. */
const EXEMPT = new Set(['/health', '/health/ready', '/health/live', '/metrics', '/docs', '/openapi.json']);

/**
 * A person's refusal of mail, a link of an email, and what providers say of messages and payments are taken whatever else came from
 * the network; the signature is their credential.
 */
const NEVER_REFUSED =
  /^(?:(?:GET|POST) \/v1\/public\/(?:unsubscribe|reports\/(?:stop|confirm))|(?:GET|HEAD) \/t\/[co]|POST \/v1\/webhooks\/(?:email|payment|billing))$/;

const OWN_LIMITS: Readonly<Record<string, EndpointLimit>> = {
  'POST /v1/contacts/bulk': { name: 'contacts_bulk', limit: 10, window: MINUTE },
  'GET /v1/analytics/export': { name: 'analytics_export', limit: 5, window: HOUR },
  'POST /v1/segments/:id/evaluate': { name: 'segment_evaluate', limit: 30, window: MINUTE },
};

const GROUPS: Readonly<Record<string, EndpointGroup>> = {
  'POST /v1/events': 'events',
  'POST /v1/events/batch': 'events',
  'POST /v1/send': 'send',
};

/**
 * The class of an endpoint; undefined when it is exempt. What is served beside the API (files of our own pages, the key
 * set) is never refused: of the paths there, those that do not exist are counted.
 * @param route pattern of the route, its parameters written as `:name`; where there is none, the path that was asked for.
 */
export function classOf(method: string, route: string): EndpointClass | undefined {
  if (EXEMPT.has(route)) return undefined;
  // A HEAD does all the work of a GET.
  const endpoint = `${method === 'HEAD' ? 'GET' : method} ${route.replace(/:\w+/g, ':id')}`;
  return {
    group: GROUPS[endpoint] ?? 'general',
    own: OWN_LIMITS[endpoint],
    refusalsOnly: NEVER_REFUSED.test(endpoint) || !(route.startsWith('/v1/') || route === '/graphql'),
  };
}
