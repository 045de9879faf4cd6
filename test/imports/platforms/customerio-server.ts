/**
 * A fake of the part of Customer.io's App API that a migration reads: exports, links that expire, and lists of its
 * email service.
 */
import { LoopbackPlatform, type Reply, type Request } from './loopback-platform.js';

export const CUSTOMERIO_KEY = 'c0ffee00c0ffee00c0ffee00c0ffee00';

interface Export {
  readonly id: number;
  looks: number;
  isFailed: boolean;
  readonly attributes: readonly string[];
}

export interface CustomerioPerson {
  readonly id?: string;
  readonly cio_id: string;
  readonly email?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export class CustomerioServer extends LoopbackPlatform {
  protected readonly contentType = 'application/json';
  people: CustomerioPerson[] = [];
  /** Replaces the file that is built from the people. */
  file: Buffer | undefined;
  readonly exports: Export[] = [];
  firstId = 110;
  /** Number of polls until an export is ready. */
  looksUntilReady = 0;
  /** Number of next exports that fail. */
  failures = 0;
  /** Number of links that have expired when they are followed. */
  expiredLinks = 0;
  private links = 0;
  suppressions: Readonly<Record<string, readonly string[]>> = {};
  /** Whether the account sends mail through its own email service. */
  hasOwnEmailService = false;
  mayListPeople = true;
  things: Readonly<Record<string, readonly object[]>> = {};

  protected refusal({ headers, path }: Request): Reply | undefined {
    if (path.startsWith('/storage/'))
      return headers.authorization === undefined
        ? undefined
        : { status: 400, body: 'Only one auth mechanism' };
    return headers.authorization === `Bearer ${CUSTOMERIO_KEY}`
      ? undefined
      : { status: 401, body: { errors: [{ detail: 'unauthorized', status: '401' }] } };
  }

  protected answer(request: Request): Reply {
    const { method, path } = request;
    if (path.startsWith('/storage/')) return this.stored(path);
    if (method === 'POST' && path === '/v1/exports/customers') return this.begin(request.body);
    const [, id, download] = /^\/v1\/exports\/(\d+)(\/download)?$/.exec(path) ?? [];
    if (id !== undefined) return this.exportOf(Number(id), download !== undefined);
    if (path.startsWith('/v1/esp/suppression/')) return this.suppressed(request);
    if (method === 'POST' && path === '/v1/customers') return this.search();
    if (method === 'POST' && path === '/v1/customers/attributes') return this.attributesOf(request.body);
    const list = path.replace('/v1/', '');
    const items = this.things[list];
    return items
      ? { status: 200, body: { [list === 'transactional' ? 'messages' : list]: items } }
      : notFound();
  }

  private begin(body: unknown): Reply {
    const { filters, attributes } = body as { filters?: object; attributes?: string[] };
    if (filters === undefined || Object.keys(filters).length !== 1)
      return { status: 400, body: { errors: [{ detail: 'filters is required', status: '400' }] } };
    if (JSON.stringify(filters).includes('"id":404'))
      return { status: 422, body: { errors: [{ detail: 'segment not found', status: '422' }] } };
    const made = {
      id: this.firstId + this.exports.length,
      looks: 0,
      isFailed: this.failures-- > 0,
      attributes: attributes ?? [],
    };
    this.exports.push(made);
    return { status: 200, body: { export: this.shown(made) } };
  }

  private exportOf(id: number, isDownload: boolean): Reply {
    const one = this.exports.find((made) => made.id === id);
    if (!one) return notFound();
    if (!isDownload) one.looks++;
    if (!isDownload) return { status: 200, body: { export: this.shown(one) } };
    if (!this.isReady(one)) return notFound();
    return {
      status: 200,
      body: { url: `${this.url}/storage/${id}/people.csv?X-Amz-Expires=900&n=${++this.links}` },
    };
  }

  private isReady({ looks }: Export): boolean {
    return looks > this.looksUntilReady;
  }

  private shown(made: Export): object {
    const isDone = this.isReady(made) && !made.isFailed;
    return {
      id: made.id,
      user_id: 0,
      user_email: 'person@example.com',
      total: isDone ? this.people.length : 0,
      deduplicate_id: `${made.id}:1530296738`,
      type: 'customers',
      failed: made.isFailed,
      status: made.isFailed ? 'failed' : isDone ? 'done' : 'pending',
      description: 'Customers',
      downloads: 0,
      created_at: 1_530_296_738,
      updated_at: 1_530_296_738,
    };
  }

  private stored(path: string): Reply {
    if (this.expiredLinks-- > 0)
      return { status: 403, body: Buffer.from('<Error><Code>AccessDenied</Code></Error>') };
    const one = this.exports.find(({ id }) => path === `/storage/${id}/people.csv`);
    if (!one) return notFound();
    return { status: 200, body: this.file ?? csvOf(this.people, one.attributes) };
  }

  private suppressed({ path, query }: Request): Reply {
    if (this.hasOwnEmailService) return notFound();
    const list = path.replace('/v1/esp/suppression/', '');
    const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
    if (limit > 1_000) return { status: 400, body: {} };
    const some = (this.suppressions[list] ?? []).slice(offset, offset + limit);
    return {
      status: 200,
      body: {
        category: list,
        suppressions: some.map((email) => ({ created: 1_650_895_738, email, reason: '550', status: '550' })),
      },
    };
  }

  private search(): Reply {
    if (!this.mayListPeople) return { status: 403, body: {} };
    const identifiers = this.people.map(({ id, email, cio_id }) => ({ id, email, cio_id })).slice(0, 1_000);
    return { status: 200, body: { identifiers, ids: identifiers.map(({ id }) => id ?? ''), next: '' } };
  }

  private attributesOf(body: unknown): Reply {
    const { ids } = body as { ids: string[] };
    if (ids.length > 100) return { status: 400, body: {} };
    const some = this.people.filter(({ cio_id }) => ids.includes(cio_id));
    return {
      status: 200,
      body: {
        customers: some.map(({ id, cio_id, email, attributes }) => ({
          customer: {
            id,
            identifiers: { id, cio_id, email },
            attributes: { ...attributes, id, email, cio_id },
            timestamps: {},
            unsubscribed: false,
            devices: [],
          },
        })),
      },
    };
  }
}

function notFound(): Reply {
  return { status: 404, body: { errors: [{ detail: 'not found', status: '404' }] } };
}

/** An export file: the requested attributes and the person's identifiers. */
function csvOf(people: readonly CustomerioPerson[], attributes: readonly string[]): Buffer {
  const columns = [...new Set(['id', 'cio_id', 'email', ...attributes])];
  const rows = people.map((person) => columns.map((column) => quoted(valueOf(person, column))).join(','));
  return Buffer.from([columns.map(quoted).join(','), ...rows, ''].join('\n'));
}

function valueOf(person: CustomerioPerson, column: string): string {
  const own: Readonly<Record<string, string | undefined>> = {
    id: person.id,
    cio_id: person.cio_id,
    email: person.email,
  };
  return own[column] ?? person.attributes?.[column] ?? '';
}

export function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
