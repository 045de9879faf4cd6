/**
 * A fake of the part of Intercom's API that a migration reads: lists behind `starting_after`, and rate limits per
 * ten seconds.
 */
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';

export const INTERCOM_TOKEN = 'dG9rOjAxMjM0NTY3Xzg5YWJfY2RlZl8wMTIzXzQ1Njc4OWFiY2RlZjoxOjA=';

export interface IntercomContact {
  readonly [attribute: string]: unknown;
  readonly id: string;
}

/** A contact in the API's format, with every attribute. */
export function intercomContact(
  number: number,
  attributes: Readonly<Record<string, unknown>> = {},
): IntercomContact {
  const id = `6762f0dd1bb69f9f${String(number).padStart(8, '0')}`;
  const none = (path: string): object => ({
    type: 'list',
    data: [],
    url: `/contacts/${id}/${path}`,
    total_count: 0,
    has_more: false,
  });
  return {
    type: 'contact',
    id,
    workspace_id: 'ecahpwf5',
    external_id: null,
    role: 'user',
    email: `person-${number}@example.com`,
    phone: null,
    name: null,
    avatar: null,
    owner_id: null,
    social_profiles: { type: 'list', data: [] },
    has_hard_bounced: false,
    marked_email_as_spam: false,
    unsubscribed_from_emails: false,
    created_at: 1_734_537_437 + number,
    updated_at: 1_734_537_437 + number,
    signed_up_at: null,
    last_seen_at: null,
    last_replied_at: null,
    last_contacted_at: null,
    last_email_opened_at: null,
    last_email_clicked_at: null,
    language_override: null,
    browser: null,
    browser_version: null,
    browser_language: null,
    os: null,
    location: {
      type: 'location',
      country: null,
      region: null,
      city: null,
      country_code: null,
      continent_code: null,
    },
    custom_attributes: {},
    tags: none('tags'),
    notes: none('notes'),
    companies: none('companies'),
    opted_out_subscription_types: none('subscriptions'),
    opted_in_subscription_types: none('subscriptions'),
    utm_campaign: null,
    ...attributes,
  };
}

/** References in the format of the API's lists. */
export function references(type: string, ids: readonly string[]): object {
  return {
    type: 'list',
    data: ids.map((id) => ({ id, type, url: `/${type}s/${id}` })),
    url: '/contacts/6762f0dd1bb69f9f2193bb83/tags',
    total_count: ids.length,
    has_more: false,
  };
}

export class IntercomServer extends LoopbackPlatform {
  protected readonly contentType = 'application/json; charset=utf-8';
  contacts: unknown[] = [];
  /** Undefined: the token may not read them. */
  tags: readonly object[] | undefined = [];
  segments: readonly object[] | undefined = [];
  /** Whether earlier cursors are no longer known. */
  hasForgotten = false;
  /** Whether next pages are links, as in some API versions. */
  hasLinks = false;

  protected refusal({ headers }: Request): Reply | undefined {
    if (headers.authorization !== `Bearer ${INTERCOM_TOKEN}`)
      return errorList(401, 'unauthorized', 'Access Token Invalid');
    if (!/^2\.\d+$/.test(String(headers['intercom-version'])))
      return errorList(400, 'intercom_version_invalid', 'The requested version could not be found');
    return undefined;
  }

  protected answer(request: Request): Reply {
    if (request.path === '/contacts') return this.page(request);
    if (request.path === '/tags')
      return this.tags ? { status: 200, body: { type: 'list', data: this.tags } } : forbidden();
    if (request.path === '/segments')
      return this.segments
        ? { status: 200, body: { type: 'segment.list', segments: this.segments } }
        : forbidden();
    return errorList(404, 'not_found', 'Resource Not Found');
  }

  /** A cursor is the last item shown, so that added or removed contacts do not shift the pages. */
  private page({ query }: Request): Reply {
    const size = Number(query.get('per_page') ?? 10);
    if (size < 1 || size > 150) return errorList(400, 'parameter_invalid', 'per_page must be from 1 to 150');
    const cursor = query.get('starting_after');
    const last = cursor === null ? undefined : Buffer.from(cursor, 'base64').toString();
    const before = this.contacts.findIndex((contact) => idOf(contact) === last);
    if (cursor !== null && (before === -1 || this.hasForgotten))
      return errorList(400, 'client_error', 'Invalid starting_after param.');
    const start = cursor === null ? 0 : before + 1;
    const data = this.contacts.slice(start, start + size);
    const isLast = start + size >= this.contacts.length;
    const after = Buffer.from(idOf(data.at(-1)) ?? '').toString('base64');
    const link = `https://api.intercom.io/contacts?${new URLSearchParams({ starting_after: after }).toString()}`;
    return {
      status: 200,
      body: {
        type: 'list',
        data,
        total_count: this.contacts.length,
        pages: {
          type: 'pages',
          page: Math.floor(start / size) + 1,
          per_page: size,
          total_pages: Math.ceil(this.contacts.length / size),
          ...(isLast ? {} : { next: this.hasLinks ? link : { per_page: size, starting_after: after } }),
        },
      },
      headers: {
        'x-ratelimit-limit': '167',
        'x-ratelimit-remaining': '166',
        'x-ratelimit-reset': '1487332510',
      },
    };
  }
}

function idOf(contact: unknown): string | undefined {
  return (contact as Partial<IntercomContact> | null | undefined)?.id;
}

export function errorList(status: number, code: string, message: string): Reply {
  return {
    status,
    body: {
      type: 'error.list',
      request_id: 'e097e446-9ae6-44a8-8e13-2bf3008b87ef',
      errors: [{ code, message }],
    },
  };
}

function forbidden(): Reply {
  return errorList(403, 'api_plan_restricted', 'Active subscription needed.');
}

export function rateLimited(reset?: number): Reply {
  const reply = errorList(429, 'rate_limit_exceeded', 'Exceeded rate limit of 167 in 10_seconds');
  return reset === undefined ? reply : { ...reply, headers: { 'x-ratelimit-reset': String(reset) } };
}
