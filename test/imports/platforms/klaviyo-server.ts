/**
 * A fake of the part of Klaviyo's API that a migration reads: JSON:API documents, opaque cursors, and throttling
 * in two windows.
 */
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';

export const KLAVIYO_KEY = 'pk_0123456789abcdef0123456789abcdef01';

export interface KlaviyoProfile {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A profile in the API's format, with every attribute of the document. */
export function klaviyoProfile(
  number: number,
  attributes: Readonly<Record<string, unknown>> = {},
): KlaviyoProfile {
  const made = new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString().replace('.000Z', '+00:00');
  return {
    id: `01GDDKASAP8TKDDA2GR${String(number).padStart(7, '0')}`,
    attributes: {
      email: `person-${number}@example.com`,
      phone_number: null,
      external_id: null,
      first_name: null,
      last_name: null,
      organization: null,
      locale: null,
      title: null,
      image: null,
      created: made,
      updated: made,
      last_event_date: null,
      location: {
        address1: null,
        address2: null,
        city: null,
        country: null,
        latitude: null,
        longitude: null,
        region: null,
        zip: null,
        timezone: null,
        ip: null,
      },
      properties: {},
      subscriptions: klaviyoSubscriptions(),
      ...attributes,
    },
  };
}

/** Subscriptions of a profile that never subscribed. */
export function klaviyoSubscriptions(
  email: Readonly<Record<string, unknown>> = {},
  sms: Readonly<Record<string, unknown>> = {},
): object {
  return {
    email: {
      marketing: {
        can_receive_email_marketing: true,
        consent: 'SUBSCRIBED',
        consent_timestamp: null,
        last_updated: null,
        method: null,
        method_detail: null,
        custom_method_detail: null,
        double_optin: null,
        suppression: [],
        list_suppressions: [],
        ...email,
      },
    },
    sms: {
      marketing: {
        can_receive_sms_marketing: false,
        consent: 'NEVER_SUBSCRIBED',
        consent_timestamp: null,
        method: null,
        method_detail: null,
        last_updated: null,
        ...sms,
      },
    },
    mobile_push: null,
  };
}

export class KlaviyoServer extends LoopbackPlatform {
  protected readonly contentType = 'application/vnd.api+json';
  profiles: unknown[] = [];
  /** Names of other resources, by path: `lists`, `flows`… A missing path may not be read. */
  named: Record<string, readonly string[]> = {};
  /** Whether earlier cursors are no longer known. */
  hasForgotten = false;
  /** The host in links. */
  linkHost = 'https://a.klaviyo.com';

  protected refusal({ headers }: Request): Reply | undefined {
    if (headers.authorization !== `Klaviyo-API-Key ${KLAVIYO_KEY}`)
      return failure(401, 'authentication_failed', 'Incorrect authentication credentials.');
    if (!/^\d{4}-\d{2}-\d{2}$/.test(String(headers.revision)))
      return failure(400, 'invalid', 'The revision header is missing.');
    return undefined;
  }

  protected answer(request: Request): Reply {
    const [, , kind = ''] = request.path.split('/');
    if (kind === 'profiles') return this.profilesPage(request);
    const names = this.named[kind];
    if (!names)
      return failure(403, 'permission_denied', 'You do not have permission to perform this action.');
    if (kind === 'campaigns' && !request.query.get('filter')?.includes('messages.channel'))
      return failure(400, 'invalid', 'A channel filter is required to list campaigns.');
    const items = names.map((name, index) => ({
      type: kind.slice(0, -1),
      id: `T${index}`,
      attributes: kind === 'flows' ? { name, status: 'live' } : { name },
    }));
    return this.page(request, items, kind === 'flows' || kind === 'tags' ? 50 : 10);
  }

  private profilesPage(request: Request): Reply {
    const size = Number(request.query.get('page[size]') ?? 20);
    if (size < 1 || size > 100) return failure(400, 'invalid', 'Page size must be from 1 to 100.');
    const since = /^greater-than\(created,(.+)\)$/.exec(request.query.get('filter') ?? '')?.[1];
    const isAsked = request.query.get('additional-fields[profile]') === 'subscriptions';
    const found = this.profiles.filter((profile) => {
      const created = (profile as Partial<KlaviyoProfile> | null)?.attributes?.created;
      return since === undefined || Date.parse(String(created)) > Date.parse(since);
    });
    const shown = found.map((profile) => {
      const { attributes } = (profile ?? {}) as Partial<KlaviyoProfile>;
      if (isAsked || !attributes) return profile;
      const { subscriptions: _subscriptions, ...others } = attributes;
      return { ...(profile as object), attributes: others };
    });
    return this.page(request, shown, size);
  }

  /** A cursor is the last item shown, so that added or removed profiles do not shift the pages. */
  private page(request: Request, items: readonly unknown[], size: number): Reply {
    const cursor = request.query.get('page[cursor]');
    if (cursor !== null && this.hasForgotten) return failure(400, 'invalid', 'Invalid cursor provided.');
    const after = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64').toString().split('::')[1]);
    const shown = items.slice(after, after + size);
    const isLast = after + size >= items.length;
    const query = new URLSearchParams(request.query);
    query.set('page[cursor]', Buffer.from(`next::${after + size}::id`).toString('base64'));
    return {
      status: 200,
      body: {
        data: shown,
        links: {
          self: `${this.linkHost}${request.path}`,
          next: isLast ? null : `${this.linkHost}${request.path}?${query.toString()}`,
          prev: null,
        },
      },
      headers: {
        'ratelimit-limit': '75, 75;w=1, 700;w=60',
        'ratelimit-remaining': '699',
        'ratelimit-reset': '1',
      },
    };
  }
}

/** An error in the format of JSON:API. */
export function failure(status: number, code: string, title: string): Reply {
  const error = {
    id: 'de016172-6f39-4cf6-b4f7-a0163fbc7301',
    status,
    code,
    title,
    detail: title,
    source: { pointer: '/data/' },
    links: {},
    meta: {},
  };
  return { status, body: { errors: [error] } };
}

export function throttled(seconds?: number): Reply {
  const reply = failure(429, 'throttled', 'Request was throttled.');
  return seconds === undefined ? reply : { ...reply, headers: { 'retry-after': String(seconds) } };
}
