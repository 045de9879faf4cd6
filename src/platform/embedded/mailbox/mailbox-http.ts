/** The mailbox's HTTP server: the page and the small API that it, scripts and tests use. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { htmlPage, open } from './mailbox-message.js';
import { PAGE, PAGE_POLICY } from './mailbox-page.js';
import type { MailboxStore } from './mailbox-store.js';

const DEFAULT_LIMIT = 500;
/** A message's HTML may show images and styles, but never run scripts, submit forms or embed frames. */
const MESSAGE_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: http: https:; " +
  "style-src 'unsafe-inline' http: https:; font-src data: http: https:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'";
/** Maximum rate of change events: many messages per second become one event. */
const CHANGE_INTERVAL_MS = 250;

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The target of a request, parsed without validation because a client may send anything. */
interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * @param names host names of the mailbox in addition to this machine's own names and addresses. All others are
 *   rejected: otherwise a website could point its name here (DNS rebinding) and read the mail in a visitor's browser.
 */
export function mailboxHandler(store: MailboxStore, names: readonly string[]): RequestListener {
  return (request, response) => {
    const target = targetOf(request.url ?? '/');
    if (!isOurs(request.headers.host ?? '', names)) {
      send(response, failure(403, 'foreign_host', 'The mailbox does not serve this host name.'));
    } else if (request.method === 'GET' && target.path === '/api/changes') {
      streamChanges(store, request, response);
    } else {
      replyTo(store, request.method ?? '', target).then(
        (reply) => send(response, reply),
        (error: unknown) =>
          send(
            response,
            failure(500, 'internal_error', error instanceof Error ? error.message : String(error)),
          ),
      );
    }
  };
}

function targetOf(url: string): Target {
  const end = url.indexOf('?');
  if (end === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, end), query: new URLSearchParams(url.slice(end + 1)) };
}

async function replyTo(store: MailboxStore, method: string, { path, query }: Target): Promise<Reply> {
  if (method === 'GET' && path === '/') {
    const headers = { 'content-security-policy': PAGE_POLICY };
    return { status: 200, type: 'text/html; charset=utf-8', body: PAGE, headers };
  }
  if (path === '/api/messages') {
    if (method === 'GET') return list(store, query);
    if (method === 'DELETE') {
      await store.clear();
      return { status: 204 };
    }
  }
  const [, id, part] = /^\/api\/messages\/([^/]+)(?:\/(html|raw))?$/.exec(path) ?? [];
  if (id !== undefined && method === 'GET') return getMessage(store, id, part);
  if (id !== undefined && part === undefined && method === 'DELETE')
    return (await store.remove(id)) ? { status: 204 } : noMessage();
  return failure(404, 'not_found', `Nothing found at ${method} ${path}.`);
}

function list(store: MailboxStore, query: URLSearchParams): Reply {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,5}$/.test(limit))
    return failure(422, 'validation_error', 'limit must be an integer from 1 to 999999.');
  const reply = json(store.list(query.get('search') ?? '', Number(limit)));
  return { ...reply, headers: { 'x-total-count': String(store.count) } };
}

async function getMessage(store: MailboxStore, id: string, part: string | undefined): Promise<Reply> {
  const message = await store.read(id);
  if (message === undefined) return noMessage();
  if (part === undefined) return json(await open(message.summary, message.raw));
  if (part === 'raw')
    return {
      status: 200,
      type: 'message/rfc822',
      body: message.raw,
      headers: { 'content-disposition': `attachment; filename="${message.summary.id}.eml"` },
    };
  const body = (await htmlPage(message.raw)) ?? '';
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body,
    headers: { 'content-security-policy': MESSAGE_POLICY },
  };
}

/** Server-sent events: one after each change of the list. */
function streamChanges(store: MailboxStore, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');
  let timer: NodeJS.Timeout | undefined;
  const stopListening = store.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      response.write('event: change\ndata:\n\n');
    }, CHANGE_INTERVAL_MS);
  });
  request.once('close', () => {
    stopListening();
    clearTimeout(timer);
  });
}

/** A website cannot use an address as its origin, and `localhost` is always the browser's own machine. */
function isOurs(host: string, names: readonly string[]): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(name) > 0 || name === 'localhost' || name.endsWith('.localhost') || names.includes(name);
}

function send(response: ServerResponse, { status, type, body, headers = {} }: Reply): void {
  response
    .writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      ...headers,
    })
    .end(body);
}

function json(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

function noMessage(): Reply {
  return failure(404, 'message_not_found', 'The mailbox has no such message.');
}

function failure(status: number, code: string, detail: string): Reply {
  return json({ detail, code }, status);
}
