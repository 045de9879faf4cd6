/**
 * A fake of the part of OneSignal's API that a migration reads: an export at a URL that answers 404 until it is
 * ready.
 */
import { gzipSync } from 'node:zlib';
import { quoted } from './customerio-server.js';
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';

export const ONESIGNAL_KEY = 'os_v2_app_fmlk6szpsre6vmmb2uxtjmsxnk';
export const ONESIGNAL_APP = 'b2f7f966-d8cc-11e4-bed1-df8f05be55ba';

export type Subscription = Readonly<Record<string, string>>;

const COLUMNS = [
  'id',
  'identifier',
  'session_count',
  'language',
  'timezone',
  'game_version',
  'device_os',
  'device_type',
  'device_model',
  'ad_id',
  'tags',
  'last_active',
  'playtime',
  'amount_spent',
  'created_at',
  'invalid_identifier',
  'badge_count',
];

/** An email subscription with every column. */
export function emailOf(number: number, fields: Subscription = {}): Subscription {
  return {
    id: `0e0e0e0e-0000-4000-8000-${String(number).padStart(12, '0')}`,
    identifier: `person-${number}@example.com`,
    session_count: '1',
    language: 'en',
    timezone: '-28800',
    device_type: '11',
    tags: '{}',
    last_active: '2024-05-01 10:00:00',
    created_at: '2023-05-01 10:00:00',
    invalid_identifier: 'f',
    external_user_id: `user-${number}`,
    country: 'US',
    timezone_id: 'America/Los_Angeles',
    notification_types: '1',
    ...fields,
  };
}

export class OnesignalServer extends LoopbackPlatform {
  protected readonly contentType = 'application/json; charset=utf-8';
  subscriptions: Subscription[] = [];
  file: Buffer | undefined;
  begun = 0;
  looksUntilReady = 0;
  busy = 0;
  /** Files up to this number have been removed. */
  expiredUpTo = 0;
  things: Readonly<Record<string, readonly object[]>> = {};

  protected refusal({ headers, path }: Request): Reply | undefined {
    if (path.startsWith('/csv_exports/'))
      return headers.authorization === undefined ? undefined : { status: 400, body: Buffer.from('<Error/>') };
    return headers.authorization === `Key ${ONESIGNAL_KEY}`
      ? undefined
      : { status: 403, body: { errors: ['Access denied. Please include an Authorization: ... header'] } };
  }

  protected answer(request: Request): Reply {
    const { method, path, query } = request;
    if (path.startsWith('/csv_exports/')) return this.stored(path);
    if (method === 'POST' && path === '/players/csv_export') return this.begin(request);
    const list = path.split('/').at(-1) ?? '';
    const items = this.things[list];
    if (!items) return { status: 404, body: { errors: ['not found'] } };
    const offset = Number(query.get('offset') ?? 0);
    const some = items.slice(offset, offset + Number(query.get('limit') ?? 50));
    return { status: 200, body: { total_count: items.length, offset, [list]: some } };
  }

  private begin({ query, body }: Request): Reply {
    if (query.get('app_id') !== ONESIGNAL_APP)
      return { status: 400, body: { errors: ['app_id not found. You may be missing a header.'] } };
    if (this.busy-- > 0)
      return {
        status: 400,
        body: {
          errors: [
            'User already running another CSV export. Please wait until your other CSV exporter finishes and try again.',
          ],
        },
      };
    this.extraFields = (body as { extra_fields?: string[] }).extra_fields ?? [];
    const number = ++this.begun;
    return {
      status: 200,
      body: { csv_file_url: `${this.url}/csv_exports/${ONESIGNAL_APP}/users_${number}_2024-11-10.csv.gz` },
    };
  }

  private extraFields: readonly string[] = [];

  private stored(path: string): Reply {
    const number = Number(/users_(\d+)_/.exec(path)?.[1]);
    if (number <= this.expiredUpTo || this.looksUntilReady-- > 0)
      return { status: 404, body: Buffer.from('<Error><Code>NoSuchKey</Code></Error>') };
    const columns = [...COLUMNS, ...this.extraFields];
    const rows = this.subscriptions.map((one) =>
      columns.map((column) => quoted(one[column] ?? '')).join(','),
    );
    return { status: 200, body: this.file ?? gzipSync([columns.join(','), ...rows, ''].join('\n')) };
  }
}
