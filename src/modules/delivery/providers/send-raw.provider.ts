/**
 * The `send_raw` provider. Its API has the form of Cloudflare's `send_raw`: `POST` of JSON with `from` and `recipients`
 * of the envelope and the message itself as `mime_message`, so that the signed bytes are the ones sent. Its webhooks
 * follow Standard Webhooks, with `{type, created_at, data: {email_id, …}}`; services differ in the other members.
 */
import { isEmailAddress } from '../../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { OutgoingMail } from '../application/mail-transport.port.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import { classifyHttpStatus, detailOf, type HttpResponse } from '../domain/http-response.js';
import {
  MAX_TYPE_CHARS,
  MAX_USER_AGENT_CHARS,
  type ProviderEvent,
  type ReportedBounce,
} from '../domain/provider-event.js';
import { storableDetail } from '../domain/storable-detail.js';
import type { EmailProvider, ProviderRequest, Webhook } from './email-provider.js';
import { firstText, listOf, memberOf, momentOf, objectOf, textOf } from './json-members.js';
import { signedMessageId } from './standard-webhooks.js';

const KINDS: ReadonlyMap<string, ProviderEvent['kind']> = new Map([
  ['email.sent', 'sent'],
  ['email.delivered', 'delivered'],
  ['email.opened', 'opened'],
  ['email.clicked', 'clicked'],
  ['email.bounced', 'bounced'],
  ['email.complained', 'complained'],
]);
const MAX_HEADERS = 200;
const MAX_CANDIDATES = 4;
/** For an address with the name before it. */
const MAX_MAILBOX_CHARS = 1_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

export const sendRaw: EmailProvider = {
  name: 'send_raw',

  credentialHeaders: (key) => ({ authorization: `Bearer ${key}` }),

  requestOf({ envelope, messageId, raw }: OutgoingMail): ProviderRequest {
    return {
      headers: { 'content-type': 'application/json', 'idempotency-key': messageId.replace(/[<>]/g, '') },
      body: Buffer.from(
        JSON.stringify({
          from: envelope.from,
          recipients: [envelope.to],
          mime_message: raw.toString('utf8'),
        }),
      ),
    };
  },

  failureOf(response: HttpResponse, recipient: string): FailedAttempt | undefined {
    const { message, isRefused, bounced } = readResponseBody(response.body);
    const failed = classifyHttpStatus(response, message);
    return failed === undefined && (isRefused || bounced.some(isSameAs(recipient)))
      ? { kind: 'permanent', detail: detailOf(response, message) }
      : failed;
  },

  verify: ({ headers, body }: Webhook, keys, now) => signedMessageId(headers, body, keys, now),

  readEvents(body: unknown, id: string): readonly ProviderEvent[] | undefined {
    if (!isJsonObject(body)) return undefined;
    const type = textOf(body, 'type', MAX_TYPE_CHARS);
    if (type === undefined || type === '') return undefined;
    const data = objectOf(body, 'data');
    const kind = KINDS.get(type) ?? null;
    const click = objectOf(data, 'click');
    const details = kind === 'clicked' ? click : kind === 'opened' ? objectOf(data, 'open') : {};
    return [
      {
        key: id,
        type,
        kind,
        candidates: candidatesOf(data),
        happenedAt: momentOf(details, 'timestamp') ?? momentOf(body, 'created_at'),
        recipient: recipientOf(data),
        userAgent: firstText([details, data], ['userAgent', 'user_agent'], MAX_USER_AGENT_CHARS) ?? null,
        method: firstText([details, data], ['method'], 16) ?? null,
        link: firstText([click, data], ['link', 'url'], 10_000) ?? null,
        bounce: kind === 'bounced' ? bounceOf(data) : null,
      },
    ];
  },
};

interface ResponseBody {
  /** Empty if the body says nothing. */
  readonly message: string;
  /** Whether the body says that nothing was accepted although the status says otherwise. */
  readonly isRefused: boolean;
  readonly bounced: readonly unknown[];
}

/** Reads `success`, `errors[].message`, `message`, `error` and `result.permanent_bounces`. */
function readResponseBody(body: string): ResponseBody {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return { message: '', isRefused: false, bounced: [] };
  }
  const message = [
    ...listOf(memberOf(read, 'errors')).map((one) => memberOf(one, 'message')),
    memberOf(read, 'message'),
    memberOf(memberOf(read, 'error'), 'message'),
    memberOf(read, 'error'),
  ].find((one): one is string => typeof one === 'string' && one !== '');
  return {
    message: message ?? '',
    isRefused: memberOf(read, 'success') === false,
    bounced: listOf(memberOf(memberOf(read, 'result'), 'permanent_bounces')),
  };
}

/** Providers may return an address in lower case. */
const isSameAs =
  (recipient: string) =>
  (address: unknown): boolean =>
    typeof address === 'string' && address.trim().toLowerCase() === recipient.toLowerCase();

function bounceOf(data: JsonObject): ReportedBounce {
  const sources = [objectOf(data, 'bounce'), data];
  const words = [
    firstText(sources, ['type', 'bounce_type', 'bounceType', 'kind'], MAX_TYPE_CHARS),
    firstText(sources, ['subType', 'sub_type', 'bounceSubType'], MAX_TYPE_CHARS),
  ];
  const detail = firstText(sources, ['diagnosticCode', 'diagnostic_code', 'message', 'reason'], 5_000);
  return {
    words: words.flatMap((word) => word ?? []),
    code: firstText(sources, ['status', 'enhanced_status', 'code'], 64) ?? null,
    detail: detail === undefined ? null : storableDetail(detail),
  };
}

function candidatesOf(data: JsonObject): string[] {
  const texts = [
    textOf(data, 'email_id', 200),
    textOf(data, 'email_log_id', 200),
    textOf(data, 'message_id', 500),
    ...headersOf(data['headers']).flatMap(([name, value]) => (/^message-id$/i.test(name) ? [value] : [])),
  ];
  const ids = texts.flatMap((text) => {
    const [id] = UUID.exec(text ?? '') ?? [];
    return isUuid(id) ? [id.toLowerCase()] : [];
  });
  return [...new Set(ids)].slice(0, MAX_CANDIDATES);
}

/** Headers as a list of names and values, or as one object. */
function headersOf(headers: unknown): [name: string, value: string][] {
  const pairs: unknown[][] = Array.isArray(headers)
    ? headers
        .slice(0, MAX_HEADERS)
        .flatMap((one: unknown) => (isJsonObject(one) ? [[one['name'], one['value']]] : []))
    : isJsonObject(headers)
      ? Object.entries(headers).slice(0, MAX_HEADERS)
      : [];
  return pairs.flatMap(([name, value]): [string, string][] =>
    typeof name === 'string' && typeof value === 'string' ? [[name, value.slice(0, 500)]] : [],
  );
}

/** An address, with or without a name before it; null if there is none. */
function recipientOf(data: JsonObject): string | null {
  const to = memberOf(data, 'to');
  const first: unknown = Array.isArray(to) ? to[0] : to;
  if (typeof first !== 'string' || first.length > MAX_MAILBOX_CHARS) return null;
  const text = first.trim();
  const address = text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1).trim() : text;
  return isEmailAddress(address) ? address : null;
}
