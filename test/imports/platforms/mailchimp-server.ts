/**
 * A fake of the part of Mailchimp's Marketing API that a migration reads: pages by offset, ten items unless
 * `count` is given.
 */
import { createHash } from 'node:crypto';
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';

export const MAILCHIMP_KEY = '0123456789abcdef0123456789abcdef-us21';

export interface MailchimpMember {
  readonly [attribute: string]: unknown;
  readonly email_address: string;
}

/** A member in the API's format: unknown values are empty texts. */
export function mailchimpMember(
  number: number,
  attributes: Readonly<Record<string, unknown>> = {},
): MailchimpMember {
  const email = `person-${number}@example.com`;
  return {
    id: createHash('md5').update(email).digest('hex'),
    email_address: email,
    unique_email_id: '3eb8a920e9',
    contact_id: createHash('md5').update(`contact ${number}`).digest('hex'),
    full_name: '',
    web_id: 440_689_824 + number,
    email_type: 'html',
    status: 'subscribed',
    consents_to_one_to_one_messaging: true,
    merge_fields: { FNAME: '', LNAME: '', ADDRESS: '', PHONE: '', BIRTHDAY: '' },
    interests: {},
    stats: { avg_open_rate: 0, avg_click_rate: 0 },
    ip_signup: '',
    timestamp_signup: new Date(Date.UTC(2022, 0, 1) + number * 1_000).toISOString(),
    ip_opt: '186.6.243.135',
    timestamp_opt: '2022-02-23T19:31:49+00:00',
    member_rating: 2,
    last_changed: '2022-02-23T19:31:55+00:00',
    language: '',
    vip: false,
    email_client: '',
    location: { latitude: 0, longitude: 0, gmtoff: 0, dstoff: 0, country_code: '', timezone: '', region: '' },
    source: 'API - Generic',
    tags_count: 0,
    tags: [],
    list_id: 'a36b032126',
    _links: [{ rel: 'self', href: 'https://us21.api.mailchimp.com/3.0/lists/a36b032126', method: 'GET' }],
    ...attributes,
  };
}

export class MailchimpServer extends LoopbackPlatform {
  protected readonly contentType = 'application/json; charset=utf-8';
  /** Members by audience; tests may read, change and remove them at any time. */
  audiences = new Map<string, unknown[]>();
  segments: readonly object[] = [];
  templates: readonly object[] = [];
  campaigns: readonly object[] = [];
  /** Undefined: the key may not read them. */
  automations: readonly object[] | undefined = [];
  /** Maximum page size, regardless of the requested one. */
  pageLimit = 1_000;

  protected refusal({ headers }: Request): Reply | undefined {
    const [scheme, encoded = ''] = String(headers.authorization).split(' ');
    const [, key] = Buffer.from(encoded, 'base64').toString().split(':');
    if (scheme === 'Basic' && key === MAILCHIMP_KEY) return undefined;
    return problem(
      401,
      'API Key Invalid',
      'Your API key may be invalid, or you’ve attempted to access the wrong datacenter.',
    );
  }

  protected answer(request: Request): Reply {
    const [, version, kind = '', id, inner] = request.path.split('/');
    if (version !== '3.0') return notFound();
    if (kind === 'lists') return this.ofLists(request, id, inner);
    const things = { templates: this.templates, campaigns: this.campaigns, automations: this.automations }[
      kind
    ];
    if (things === undefined)
      return problem(403, 'Forbidden', 'You are not permitted to access this resource.');
    return this.page(request, kind, things);
  }

  private ofLists(request: Request, id: string | undefined, inner: string | undefined): Reply {
    if (id === undefined) {
      const lists = [...this.audiences.keys()].map((each) => ({ id: each, name: `Audience ${each}` }));
      return this.page(request, 'lists', lists);
    }
    const members = this.audiences.get(id);
    if (!members) return notFound();
    if (inner === 'segments') return this.page(request, 'segments', this.segments);
    const sorted =
      request.query.get('sort_field') === 'timestamp_signup'
        ? [...members].sort((a, b) => signedUp(a).localeCompare(signedUp(b)))
        : members;
    return this.page(request, 'members', sorted);
  }

  private page({ query }: Request, name: string, items: readonly unknown[]): Reply {
    const count = Number(query.get('count') ?? 10);
    const offset = Number(query.get('offset') ?? 0);
    if (!(count >= 0 && count <= 1_000))
      return problem(400, 'Invalid Resource', 'The count may not be larger than 1000.');
    const shown = items.slice(offset, offset + Math.min(count, this.pageLimit));
    const whole = { [name]: shown.map((item) => without(item, query)), total_items: items.length };
    return {
      status: 200,
      body: query.get('fields') === 'total_items' ? { total_items: items.length } : whole,
    };
  }
}

function signedUp(member: unknown): string {
  const at = (member as { timestamp_signup?: unknown } | null)?.timestamp_signup;
  return typeof at === 'string' ? at : '';
}

function without(item: unknown, query: URLSearchParams): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const left = (query.get('exclude_fields') ?? '').split(',').map((path) => path.replace(/^members\./, ''));
  return Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)));
}

/** An error as a problem document; a 429 has no hint when to retry. */
export function problem(status: number, title: string, detail: string): Reply {
  return {
    status,
    body: {
      type: 'https://mailchimp.com/developer/marketing/docs/errors/',
      title,
      status,
      detail,
      instance: 'c116af38-54cd-7c91-efff-548d25d48699',
    },
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  };
}

function notFound(): Reply {
  return problem(404, 'Resource Not Found', 'The requested resource could not be found.');
}
