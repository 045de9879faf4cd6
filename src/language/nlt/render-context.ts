/**
 * The input and result of a rendering (specification section 4.3: preview), and the state of one rendering: its data,
 * its budget and its loop variables.
 */
import { MAX_ITERATIONS, MAX_OUTPUT_LENGTH, MAX_WORK, WORK_COST } from './limits.js';
import { type LocaleSetting, resolveLocale, resolveTimeZone } from './locale-setting.js';
import { isData } from './name-lookup.js';
import type { RenderTrace } from './render-trace.js';
import type { TemplateError } from './tree.js';

/** The data of one message. `locale` defaults to en-US, `timeZone` to UTC; unknown values are not an error. */
export interface RenderContext {
  /** Standard fields, with all others under `properties`. */
  readonly contact: Record<string, unknown>;
  readonly triggerEvent?: { readonly eventName: string; readonly attributes: Record<string, unknown> };
  /** The contact's latest event of each name. */
  readonly events?: Record<string, { readonly attributes: Record<string, unknown> }>;
  readonly now: Date;
  readonly locale?: string;
  readonly timeZone?: string;
}

/**
 * The outcome of a rendering. `suppressed`: a required value was missing; `field` is its path as written, joined with
 * dots. `failed`: nothing may be sent.
 */
export type RenderResult =
  | { readonly kind: 'rendered'; readonly text: string }
  | { readonly kind: 'suppressed'; readonly field: string }
  | { readonly kind: 'failed'; readonly error: RenderFailure };

export type RenderFailureCode =
  'syntax_error' | 'iteration_limit' | 'output_limit' | 'work_limit' | 'unreadable_data';

/** Why nothing was rendered; `errors` are those of the template for `syntax_error`, else empty. */
export interface RenderFailure {
  readonly code: RenderFailureCode;
  readonly message: string;
  readonly errors: readonly TemplateError[];
}

/** Ends a rendering early; the compiled template catches it. */
export class RenderAbortedError extends Error {
  constructor(readonly result: Exclude<RenderResult, { kind: 'rendered' }>) {
    super(result.kind);
  }
}

type Data = Record<string, unknown>;
const emptyData: Data = Object.freeze({});

/** The state of one rendering. Compiled closures read its fields, which are plain for speed. */
export class RenderState {
  readonly contact: Data;
  readonly properties: Data;
  readonly trigger: Data;
  readonly triggerName: string;
  readonly events: Data;
  readonly now: number;
  readonly setting: LocaleSetting;
  /** Loop variables by nesting depth. */
  readonly locals: unknown[] = [];
  /** The key indexes of large objects by folded name, for names without an exact match. */
  readonly folded = new Map<object, ReadonlyMap<string, string>>();
  /** Records the origin of the output; null unless the caller requested a trace. */
  trace: RenderTrace | null = null;
  private iterations = 0;
  private length = 0;
  private spent = 0;
  private formats: Set<string> | undefined;

  /** @param work the maximum cost of the rendering, in the units of MAX_WORK. */
  constructor(
    context: RenderContext,
    private readonly work: number = MAX_WORK,
  ) {
    const { contact, triggerEvent, events, now, locale, timeZone } = context;
    this.contact = isData(contact) ? contact : emptyData;
    const properties = Object.hasOwn(this.contact, 'properties') ? this.contact['properties'] : undefined;
    this.properties = isData(properties) ? properties : emptyData;
    this.trigger =
      isData(triggerEvent) && isData(triggerEvent.attributes) ? triggerEvent.attributes : emptyData;
    this.triggerName = isData(triggerEvent) ? String(triggerEvent.eventName) : '';
    this.events = isData(events) ? events : emptyData;
    this.now = now.getTime();
    this.setting = {
      locale: resolveLocale(typeof locale === 'string' ? locale : 'en-US'),
      timeZone: resolveTimeZone(typeof timeZone === 'string' ? timeZone : 'UTC'),
    };
  }

  /** Counts one loop iteration. */
  iterate(): void {
    this.spend(WORK_COST.step);
    if (++this.iterations > MAX_ITERATIONS) {
      stop('iteration_limit', `The loops of this message run more than ${MAX_ITERATIONS} times.`);
    }
  }

  /** Counts work, in the units of MAX_WORK; called before expensive operations. */
  spend(amount: number): void {
    if ((this.spent += amount) > this.work) stop('work_limit', 'Rendering this message takes too long.');
  }

  /** Counts the use of a format. Its first use in a rendering pays for creating the formatter, cached or not. */
  spendOn(format: string): void {
    this.spend(WORK_COST.format);
    if (this.formats?.has(format)) return;
    (this.formats ??= new Set()).add(format);
    this.spend(WORK_COST.formatter);
  }

  /** Counts characters that are written into the message. */
  countOutput(length: number): void {
    if ((this.length += length) > MAX_OUTPUT_LENGTH) stopTooLong();
  }

  /** Counts a text that is written into the message, and returns it. */
  emit(text: string): string {
    this.countOutput(text.length);
    return text;
  }
}

/** Ends the rendering if the intermediate value `text` is longer than a message may be. */
export function checkLength(text: string): void {
  if (text.length > MAX_OUTPUT_LENGTH) stopTooLong();
}

function stopTooLong(): never {
  stop('output_limit', 'The rendered text is larger than 5 MB.');
}

function stop(code: RenderFailureCode, message: string): never {
  throw new RenderAbortedError({ kind: 'failed', error: { code, message, errors: [] } });
}
