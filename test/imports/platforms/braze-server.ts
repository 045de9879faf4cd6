/**
 * A fake of the part of Braze's REST API that a migration reads: segment exports at URLs that are not ready
 * immediately.
 */
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';
import { zipOf } from './zip-archive.js';

export const BRAZE_KEY = 'b7a1e5c0-5f0e-4a49-9d5e-0a1b2c3d4e5f';
export const BRAZE_SEGMENT = 'b3a1f5c0-1111-2222-3333-444455556666';

export type BrazeUser = Readonly<Record<string, unknown>>;

/**
 * A user in the format of exports: "if a field is missing from the object it should be assumed to be null, false,
 * or empty".
 */
export function brazeUser(number: number, fields: BrazeUser = {}): BrazeUser {
  return {
    created_at: '2020-07-10 15:00:00.000 UTC',
    external_id: `user-${number}`,
    braze_id: `5fbd99bac125ca40511${String(number).padStart(5, '0')}`,
    email: `person-${number}@example.com`,
    email_subscribe: 'subscribed',
    ...fields,
  };
}

export class BrazeServer extends LoopbackPlatform {
  protected readonly contentType = 'application/json;charset=utf-8';
  users: BrazeUser[] = [];
  /** Users in each file of the archive. */
  usersOfFile = 5_000;
  /** Replaces the archive that is built from the users. */
  file: Buffer | undefined;
  /** Number of exports started; they number the archives. */
  begun = 0;
  /** Number of polls until the archive is ready. */
  looksUntilReady = 0;
  /** How often the server reports that another export of this segment is running. */
  busy = 0;
  hasCloudStorage = false;
  /** Archives up to this number have been removed. */
  expiredUpTo = 0;
  bounced: readonly string[] = [];
  mayReadBounces = true;
  things: Readonly<Record<string, readonly object[]>> = {};

  protected refusal({ headers, path }: Request): Reply | undefined {
    if (path.startsWith('/appboy-export/'))
      return headers.authorization === undefined
        ? undefined
        : { status: 400, body: Buffer.from('<Error><Code>InvalidArgument</Code></Error>') };
    return headers.authorization === `Bearer ${BRAZE_KEY}`
      ? undefined
      : { status: 401, body: { message: 'Invalid API Key' } };
  }

  protected answer(request: Request): Reply {
    const { method, path, query } = request;
    if (path.startsWith('/appboy-export/')) return this.archive(path);
    if (method === 'POST' && path === '/users/export/segment') return this.begin(request.body);
    if (path === '/email/hard_bounces') return this.bounces(query);
    const list = path.replace(/^\//, '');
    const items = this.things[list];
    if (!items) return { status: 404, body: { message: 'Not found' } };
    const page = Number(query.get('page') ?? 0);
    const some = list === 'templates/email/list' ? items : items.slice(page * 100, page * 100 + 100);
    const [name] = list.startsWith('canvas') ? ['canvases'] : list.split('/');
    return { status: 200, body: { message: 'success', [name ?? '']: some } };
  }

  private begin(body: unknown): Reply {
    const { segment_id: segment, fields_to_export: fields } = body as Record<string, unknown>;
    if (!Array.isArray(fields) || fields.length === 0)
      return { status: 400, body: { message: "'fields_to_export' is required" } };
    if (segment !== BRAZE_SEGMENT) return { status: 400, body: { message: "Invalid 'segment_id'" } };
    if (this.busy-- > 0)
      return { status: 400, body: { message: 'An export of this segment is already in progress' } };
    const number = ++this.begun;
    const prefix = `bb8e2a91-c4aa-478b-b3f2-a4ee91731ad1-${number}`;
    return {
      status: 201,
      body: {
        message: 'success',
        object_prefix: prefix,
        ...(this.hasCloudStorage ? {} : { url: `${this.url}/appboy-export/${number}.zip?Signature=x` }),
      },
    };
  }

  private archive(path: string): Reply {
    const number = Number(/(\d+)\.zip$/.exec(path)?.[1]);
    if (number <= this.expiredUpTo || this.looksUntilReady-- > 0)
      return { status: 403, body: Buffer.from('<Error><Code>AccessDenied</Code></Error>') };
    const files = [];
    for (let from = 0; from < this.users.length; from += this.usersOfFile)
      files.push({
        name: `114f0226319130e1a4770f2602b5639a-${from}.txt`,
        contents: this.users
          .slice(from, from + this.usersOfFile)
          .map((user) => `${JSON.stringify(user)}\n`)
          .join(''),
      });
    return { status: 200, body: this.file ?? zipOf(files) };
  }

  private bounces(query: URLSearchParams): Reply {
    if (!this.mayReadBounces) return { status: 401, body: { message: 'No permission' } };
    const isDay = (name: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(query.get(name) ?? '');
    const limit = Number(query.get('limit') ?? 100);
    if (!isDay('start_date') || !isDay('end_date') || limit > 500)
      return { status: 400, body: { message: 'no' } };
    const offset = Number(query.get('offset') ?? 0);
    const emails = this.bounced
      .slice(offset, offset + limit)
      .map((email) => ({ email, hard_bounced_at: '2016-08-25 15:24:32 +0000' }));
    return { status: 201, body: { emails, message: 'success' } };
  }
}
