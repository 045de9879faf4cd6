/**
 * Parses an email provider's event: `{type, created_at, data: {email_id, …}}`. Providers differ in the other members,
 * so unexpected values are ignored; only an event without a type is rejected.
 */
import { isEmailAddress } from '../../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { parseMoment } from '../../../kernel/parse-moment.js';
import { storableDetail } from '../../delivery/domain/storable-detail.js';
import { bounceOf } from './bounce-kind.js';
import {
  FEEDBACK_KINDS,
  MAX_TYPE_CHARS,
  linkName,
  MAX_USER_AGENT_CHARS,
  EMPTY_FEEDBACK,
  type FeedbackData,
  type FeedbackKind,
} from './feedback.js';

export interface ProviderEvent {
  readonly type: string;
  readonly facts: FeedbackData;
  /** Ids that the message may have, most likely first: the provider's, and those of Message-ID fields. */
  readonly candidates: readonly string[];
  /** Real time in milliseconds since 1970; undefined if it is missing or cannot be parsed. */
  readonly happenedAt: number | undefined;
}

const PREFIX = 'email.';
/** Characters. */
const MAX_TIMESTAMP_CHARS = 40;
const MAX_HEADERS = 200;
const MAX_CANDIDATES = 4;
/** For an address with the name before it. */
const MAX_MAILBOX_CHARS = 1_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The event; undefined if the value has no type. */
export function readProviderEvent(value: unknown): ProviderEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const type = textOf(value, 'type', MAX_TYPE_CHARS);
  if (type === undefined || type === '') return undefined;
  const data = objectOf(value, 'data');
  const kind = kindOf(type);
  const click = objectOf(data, 'click');
  const open = objectOf(data, 'open');
  const details = kind === 'clicked' ? click : kind === 'opened' ? open : {};
  return {
    type,
    candidates: candidatesOf(data),
    happenedAt: momentOf(details, 'timestamp') ?? momentOf(value, 'created_at'),
    facts: {
      ...EMPTY_FEEDBACK,
      kind,
      recipient: recipientOf(data),
      ...(kind === 'opened' || kind === 'clicked'
        ? {
            userAgent: firstText([details, data], ['userAgent', 'user_agent'], MAX_USER_AGENT_CHARS) ?? null,
            method: firstText([details, data], ['method'], 16) ?? null,
          }
        : {}),
      ...(kind === 'clicked' ? { link: linkOf(click, data) } : {}),
      ...(kind === 'bounced' ? { bounce: providerBounce(data) } : {}),
    },
  };
}

function kindOf(type: string): FeedbackKind | null {
  const name = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : '';
  return FEEDBACK_KINDS.find((kind) => kind === name) ?? null;
}

function providerBounce(data: JsonObject): FeedbackData['bounce'] {
  const bounce = objectOf(data, 'bounce');
  const sources = [bounce, data];
  const words = [
    firstText(sources, ['type', 'bounce_type', 'bounceType', 'kind'], MAX_TYPE_CHARS),
    firstText(sources, ['subType', 'sub_type', 'bounceSubType'], MAX_TYPE_CHARS),
  ];
  const detail = firstText(sources, ['diagnosticCode', 'diagnostic_code', 'message', 'reason'], 5_000);
  return bounceOf({
    words: words.flatMap((word) => word ?? []),
    code: firstText(sources, ['status', 'enhanced_status', 'code'], 64) ?? null,
    detail: detail === undefined ? null : storableDetail(detail),
  });
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
  const to = Object.hasOwn(data, 'to') ? data['to'] : undefined;
  const first: unknown = Array.isArray(to) ? to[0] : to;
  if (typeof first !== 'string' || first.length > MAX_MAILBOX_CHARS) return null;
  const text = first.trim();
  const address = text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1).trim() : text;
  return isEmailAddress(address) ? address : null;
}

function linkOf(click: JsonObject, data: JsonObject): string {
  return linkName(firstText([click, data], ['link', 'url'], 10_000) ?? '');
}

function objectOf(value: JsonObject, name: string): JsonObject {
  const inner = Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(inner) ? inner : {};
}

function textOf(value: JsonObject, name: string, maxChars: number): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' ? storable(text.slice(0, maxChars)) : undefined;
}

function firstText(
  sources: readonly JsonObject[],
  names: readonly string[],
  maxChars: number,
): string | undefined {
  for (const source of sources)
    for (const name of names) {
      const text = textOf(source, name, maxChars);
      if (text !== undefined && text !== '') return text;
    }
  return undefined;
}

function momentOf(value: JsonObject, name: string): number | undefined {
  const moment = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof moment === 'string' && moment.length > MAX_TIMESTAMP_CHARS
    ? undefined
    : parseMoment(moment)?.instant;
}

/** Removes characters that PostgreSQL rejects: NUL, and unpaired surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
