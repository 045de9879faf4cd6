/**
 * Reads the bodies of preview, render-inline and validate, section 4.3. All members are optional, and null is as
 * good as none, so that the answer of preview-context can be sent as it is.
 */
import { DomainError, invalidFields, type FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import type { PreviewSample } from './preview.js';
import { contentProblem, LONGEST_SUBJECT, textProblem } from './template-bounds.js';

/** Content that is not saved; null: not given. */
export interface InlineContent {
  readonly subject: string | null;
  readonly bodyHtml: string | null;
  readonly sample: PreviewSample;
}

const SAMPLE_FIELDS = ['contact', 'trigger_event', 'additional_events'];
const CONTENT_FIELDS = ['subject', 'body_html'];
const EVENT_FIELDS = ['event_name', 'attributes', 'occurred_at'];
const UNKNOWN = 'is not a known field';
/** Errors told at once: a body has room for a million. */
const MOST_ERRORS = 100;

/**
 * Reads the sample data of a preview; undefined is an empty body.
 * @throws DomainError invalid_field naming every member that is wrong or unknown; validation_error for no object.
 */
export function readSample(input: unknown): PreviewSample {
  return new PreviewReading(input, SAMPLE_FIELDS).done((reading) => reading.sample());
}

/**
 * Reads content together with sample data; undefined is an empty body.
 * @throws DomainError as `readSample`, also for content that is larger than a template may be.
 */
export function readInline(input: unknown): InlineContent {
  return new PreviewReading(input, [...CONTENT_FIELDS, ...SAMPLE_FIELDS]).done((reading) => ({
    subject: reading.subject(),
    bodyHtml: reading.bodyHtml(),
    sample: reading.sample(),
  }));
}

/** Reads on behind an error, so that a caller is told of all of them at once. */
class PreviewReading {
  private readonly errors: FieldError[] = [];
  private readonly body: JsonObject;

  constructor(input: unknown, fields: readonly string[]) {
    const body = input ?? {};
    if (input === null || !isJsonObject(body))
      throw new DomainError('validation_error', 'The body must be a JSON object.');
    this.body = body;
    this.refuseUnknown(body, fields, '');
  }

  done<Result>(read: (reading: PreviewReading) => Result): Result {
    const result = read(this);
    if (this.errors.length > 0) throw invalidFields(this.errors);
    return result;
  }

  subject(): string | null {
    return this.content('subject', (subject) => textProblem(subject, LONGEST_SUBJECT));
  }

  bodyHtml(): string | null {
    return this.content('body_html', contentProblem);
  }

  sample(): PreviewSample {
    const trigger = this.group(this.body['trigger_event'], 'trigger_event');
    return {
      contact: this.group(this.body['contact'], 'contact'),
      triggerEvent: trigger && {
        eventName: this.eventName(trigger['event_name'], 'trigger_event') ?? '',
        attributes: this.attributes(trigger, 'trigger_event'),
      },
      additionalEvents: this.additionalEvents(),
    };
  }

  /** By name, or as a list of events that bear their names; of several with one name the last counts. */
  private additionalEvents(): PreviewSample['additionalEvents'] {
    const input = this.body['additional_events'];
    const isList = Array.isArray(input);
    if (!isList && !this.group(input, 'additional_events')) return null;
    const entries = Object.entries(input as object).flatMap(([key, value]: [string, unknown]) => {
      const field = `additional_events.${key}`;
      const event = this.group(value, field);
      if (!event) {
        if (isList) this.refuse(field, 'must be an object');
        return [];
      }
      const attributes = this.attributes(event, field);
      const name = this.eventName(event['event_name'], field);
      if (isList && name === null) this.refuse(`${field}.event_name`, 'is required');
      return [[isList ? (name ?? '') : key, { attributes }] as const];
    });
    return Object.fromEntries(entries);
  }

  private eventName(name: unknown, parent: string): string | null {
    if (typeof name === 'string') return name;
    if (name !== undefined && name !== null) this.refuse(`${parent}.event_name`, 'must be a text');
    return null;
  }

  private attributes(event: JsonObject, parent: string): JsonObject {
    this.refuseUnknown(event, EVENT_FIELDS, `${parent}.`);
    return this.group(event['attributes'], `${parent}.attributes`) ?? {};
  }

  private group(value: unknown, field: string): JsonObject | null {
    if (value === undefined || value === null) return null;
    if (isJsonObject(value)) return value;
    this.refuse(field, 'must be an object');
    return null;
  }

  private content(field: string, problemOf: (text: string) => string | undefined): string | null {
    const value = this.body[field];
    if (typeof value === 'string') {
      const problem = problemOf(value);
      if (problem !== undefined) this.refuse(field, problem);
      return value;
    }
    if (value !== undefined && value !== null) this.refuse(field, 'must be a text');
    return null;
  }

  private refuseUnknown(value: JsonObject, known: readonly string[], prefix: string): void {
    for (const name of Object.keys(value)) if (!known.includes(name)) this.refuse(prefix + name, UNKNOWN);
  }

  private refuse(field: string, message: string): void {
    if (this.errors.length < MOST_ERRORS) this.errors.push({ field, message });
  }
}
