/**
 * Parses an email provider's event: `{type, created_at, data: {email_id, …}}`. Providers differ in the other members,
 * so unexpected values are ignored; only an event without a type is rejected.
 */
import { isEmailAddress } from '../../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { writtenMoment } from '../../../kernel/written-moment.js';
import { keptDetail } from '../../delivery/domain/kept-detail.js';
import { bounceOf } from './bounce-kind.js';
import {
  FEEDBACK_KINDS,
  LONGEST_TYPE,
  linkName,
  LONGEST_AGENT,
  NOTHING_TOLD,
  type FeedbackFacts,
  type FeedbackKind,
} from './feedback.js';

export interface ProviderEvent {
  readonly type: string;
  readonly facts: FeedbackFacts;
  /** Ids that the message may have, most likely first: the provider's, and those of Message-ID fields. */
  readonly candidates: readonly string[];
  /** Real time in milliseconds since 1970; undefined if it is missing or cannot be parsed. */
  readonly happenedAt: number | undefined;
}

const PREFIX = 'email.';
/** Characters. */
const LONGEST_MOMENT = 40;
const MOST_HEADERS = 200;
const MOST_CANDIDATES = 4;
/** For an address with the name before it. */
const LONGEST_MAILBOX = 1_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The event; undefined if the value has no type. */
export function readProviderEvent(value: unknown): ProviderEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const type = textOf(value, 'type', LONGEST_TYPE);
  if (type === undefined || type === '') return undefined;
  const data = objectOf(value, 'data');
  const kind = kindOf(type);
  const click = objectOf(data, 'click');
  const open = objectOf(data, 'open');
  const told = kind === 'clicked' ? click : kind === 'opened' ? open : {};
  return {
    type,
    candidates: candidatesOf(data),
    happenedAt: momentOf(told, 'timestamp') ?? momentOf(value, 'created_at'),
    facts: {
      ...NOTHING_TOLD,
      kind,
      recipient: recipientOf(data),
      ...(kind === 'opened' || kind === 'clicked'
        ? {
            userAgent: firstText([told, data], ['userAgent', 'user_agent'], LONGEST_AGENT) ?? null,
            method: firstText([told, data], ['method'], 16) ?? null,
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

function providerBounce(data: JsonObject): FeedbackFacts['bounce'] {
  const bounce = objectOf(data, 'bounce');
  const places = [bounce, data];
  const words = [
    firstText(places, ['type', 'bounce_type', 'bounceType', 'kind'], LONGEST_TYPE),
    firstText(places, ['subType', 'sub_type', 'bounceSubType'], LONGEST_TYPE),
  ];
  const detail = firstText(places, ['diagnosticCode', 'diagnostic_code', 'message', 'reason'], 5_000);
  return bounceOf({
    words: words.flatMap((word) => word ?? []),
    code: firstText(places, ['status', 'enhanced_status', 'code'], 64) ?? null,
    detail: detail === undefined ? null : keptDetail(detail),
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
  return [...new Set(ids)].slice(0, MOST_CANDIDATES);
}

/** Headers as a list of names and values, or as one object. */
function headersOf(headers: unknown): [name: string, value: string][] {
  const pairs: unknown[][] = Array.isArray(headers)
    ? headers
        .slice(0, MOST_HEADERS)
        .flatMap((one: unknown) => (isJsonObject(one) ? [[one['name'], one['value']]] : []))
    : isJsonObject(headers)
      ? Object.entries(headers).slice(0, MOST_HEADERS)
      : [];
  return pairs.flatMap(([name, value]): [string, string][] =>
    typeof name === 'string' && typeof value === 'string' ? [[name, value.slice(0, 500)]] : [],
  );
}

/** An address, with or without a name before it; null if there is none. */
function recipientOf(data: JsonObject): string | null {
  const to = Object.hasOwn(data, 'to') ? data['to'] : undefined;
  const first: unknown = Array.isArray(to) ? to[0] : to;
  if (typeof first !== 'string' || first.length > LONGEST_MAILBOX) return null;
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

function textOf(value: JsonObject, name: string, most: number): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' ? storable(text.slice(0, most)) : undefined;
}

function firstText(
  places: readonly JsonObject[],
  names: readonly string[],
  most: number,
): string | undefined {
  for (const place of places)
    for (const name of names) {
      const text = textOf(place, name, most);
      if (text !== undefined && text !== '') return text;
    }
  return undefined;
}

function momentOf(value: JsonObject, name: string): number | undefined {
  const moment = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof moment === 'string' && moment.length > LONGEST_MOMENT
    ? undefined
    : writtenMoment(moment)?.instant;
}

/** Removes characters that PostgreSQL rejects: NUL, and unpaired surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
