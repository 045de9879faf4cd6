/**
 * The types of fields that become properties: suggested from sample values, and applied if a job sets them.
 * Identifiers made of digits stay text, since a number has no leading zeros.
 */
import { isNumber } from '../../../kernel/exact-number.js';
import type { JsonObject, JsonValue } from '../../../kernel/json.js';
import { parseMoment } from '../../../kernel/parse-moment.js';
import { wordsOf } from './opt-out-names.js';
import { truthIn } from './opt-outs.js';

export const FIELD_TYPES = ['text', 'number', 'boolean', 'date'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
export type FieldTypes = Readonly<Record<string, FieldType>>;

/** Maximum length of a number, boolean or date, in characters. */
const MAX_VALUE_LENGTH = 40;
/** Digits that a double preserves. */
const MAX_EXACT_DIGITS = 15;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Numbers as programs write them. Does not match `007`, `+43`, `1.` and `.5`. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const DIGITS = /^\d+$/;
/** Names of fields whose digits are an identifier. */
const IDENTIFIER_NAME = new RegExp(
  `(?:^|_)(?:${[
    ...[
      'ids?',
      'codes?',
      'numbers?',
      'no',
      'nr',
      'nummer',
      'numero',
      'num',
      'sku',
      'ean',
      'isbn',
      'iban',
      'vat',
    ],
    ...[
      'phones?',
      'phone_?number',
      'telephone',
      'tele?fono?',
      'tel',
      'mobile',
      'mobil',
      'cell',
      'fax',
      'whats_?app',
    ],
    ...[
      'sms',
      'handy',
      'zip',
      'zipcode',
      'plz',
      'cap',
      'cp',
      'postal',
      'post_?code',
      'postleitzahl',
      'ssn',
      'tax',
    ],
  ].join('|')})(?:_|$)`,
);

/** The types of columns in the sample records. A column of mixed values, lists or objects has none. */
export function suggestedTypes(records: readonly JsonObject[], columns: readonly string[]): FieldTypes {
  const types = columns.map((name) => [name, typeOf(name, valuesOf(records, name))] as const);
  return Object.fromEntries(types.filter(([, type]) => type !== undefined)) as FieldTypes;
}

/** A value converted to the type; undefined if it cannot be converted. */
export function typedValue(type: FieldType, value: JsonValue): JsonValue | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
  if (!isScalar) return undefined;
  if (type === 'text') return String(value);
  if (type === 'number') return isNumber(value) ? value : numberIn(String(value));
  if (type === 'boolean') return typeof value === 'boolean' ? value : truthIn(String(value));
  return dateIn(value);
}

function valuesOf(records: readonly JsonObject[], name: string): readonly unknown[] {
  return records.flatMap((fields) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null || value === '' ? [] : [value];
  });
}

function typeOf(name: string, values: readonly unknown[]): FieldType | undefined {
  if (values.length === 0) return undefined;
  if (values.every(isNumber)) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (!values.every((value) => typeof value === 'string')) return undefined;
  if (values.every(isPlainNumber)) return IDENTIFIER_NAME.test(wordsOf(name)) ? 'text' : 'number';
  if (values.every((text) => text.length > 1 && !DIGITS.test(text) && truthIn(text) !== undefined))
    return 'boolean';
  const isDate = values.every((text) => text.length <= MAX_VALUE_LENGTH && parseMoment(text) !== undefined);
  return isDate && !values.every((text) => DIGITS.test(text)) ? 'date' : 'text';
}

function isPlainNumber(text: string): boolean {
  return PLAIN_NUMBER.test(text.slice(0, MAX_VALUE_LENGTH)) && numberIn(text) !== undefined;
}

function numberIn(text: string): number | undefined {
  const plain = text.trim();
  if (plain.length > MAX_VALUE_LENGTH || !NUMBER.test(plain)) return undefined;
  const digits = plain.replace(/^[+-]?[0.]*/, '').replace('.', '');
  return digits.length > MAX_EXACT_DIGITS ? undefined : Number(plain);
}

/** A date unchanged; a timestamp in UTC. */
function dateIn(value: JsonValue): string | undefined {
  const isTooLong = typeof value === 'string' && value.length > MAX_VALUE_LENGTH;
  const moment = isTooLong ? undefined : parseMoment(value);
  if (moment === undefined) return undefined;
  const iso = new Date(moment.instant).toISOString();
  return moment.isDay ? iso.slice(0, 10) : iso;
}
