/**
 * A second, deliberately simple implementation of flows, without step ids, paths or rows. A trip is a generator, so the
 * language keeps its position in the flow; all other state is a few maps. Tests run random flows in this model and in
 * the engine, and compare the results.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';

type Json = Record<string, any>;

export interface ModelFlow {
  readonly trigger_event: string;
  readonly trigger_conditions: Json;
  /** Whether only segment members may start; the model decides who is a member. */
  readonly members_only: boolean;
  readonly settings: { readonly reentry_policy: string; readonly reentry_cooldown_days: number | null };
  readonly steps: readonly Json[];
}

export interface ModelEvent {
  readonly contact: string;
  readonly name: string;
  readonly attributes: Json;
}

export type ModelAction =
  | { readonly kind: 'event'; readonly event: ModelEvent }
  | { readonly kind: 'wind'; readonly minutes: number }
  | { readonly kind: 'stop'; readonly flow: number }
  | { readonly kind: 'delete'; readonly contact: string };

export interface ModelTrip {
  readonly flow: number;
  readonly contact: string;
  readonly event: number;
  readonly startedAt: number;
  status: string;
  reason: string | null;
  wakeAt: number | null;
  /** Subjects of the trip's messages, once for each time that one was sent. */
  readonly sent: string[];
}

type Rest = { readonly waitFor: number } | { readonly send: string };

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const UNITS: Json = { m: MINUTE, h: 60 * MINUTE, d: DAY };
const lengthOf = (text: string): number => Number(text.slice(0, -1)) * UNITS[text.slice(-1)];

export class FlowModel {
  readonly trips: ModelTrip[] = [];
  readonly properties = new Map<string, Json>();
  private readonly latest = new Map<string, { attributes: Json; at: number }>();
  private readonly running = new Map<ModelTrip, Generator<Rest, 'skipped_to_end' | 'finished'>>();
  private readonly stopped = new Set<number>();
  private readonly deleted = new Set<string>();
  private events = 0;

  /**
   * @param tripId the engine's id of a trip, from which variants are drawn.
   * @param isMember whether a contact is in the only segment.
   */
  constructor(
    private readonly flows: readonly ModelFlow[],
    public now: number,
    private readonly tripId: (trip: ModelTrip) => string,
    private readonly isMember: (contact: string) => boolean,
  ) {}

  do(action: ModelAction): void {
    switch (action.kind) {
      case 'event':
        this.happen(action.event);
        break;
      case 'wind':
        this.now += action.minutes * MINUTE;
        for (const trip of this.trips
          .filter(({ wakeAt }) => wakeAt !== null && wakeAt <= this.now)
          .sort((a, b) => a.wakeAt! - b.wakeAt!))
          this.advance(trip);
        break;
      case 'stop':
        this.stopped.add(action.flow);
        this.end(({ flow }) => flow === action.flow, 'flow_stopped');
        break;
      case 'delete':
        this.deleted.add(action.contact);
        this.end(({ contact }) => contact === action.contact, 'contact_deleted');
    }
  }

  private end(which: (trip: ModelTrip) => boolean, reason: string): void {
    for (const trip of this.trips.filter((one) => one.status === 'paused' && which(one)))
      Object.assign(trip, { status: 'terminated', reason, wakeAt: null });
  }

  private happen({ contact, name, attributes }: ModelEvent): void {
    const event = this.events++;
    if (this.deleted.has(contact)) return;
    this.latest.set(`${contact} ${name}`, { attributes, at: this.now });
    const starting: ModelTrip[] = [];
    this.flows.forEach((flow, index) => {
      if (flow.trigger_event !== name || this.stopped.has(index)) return;
      if (!Object.entries(flow.trigger_conditions).every(([key, value]) => attributes[key] === value)) return;
      if (flow.members_only && !this.isMember(contact)) return;
      if (!this.mayEnter(flow, index, contact)) return;
      const trip: ModelTrip = {
        ...{ flow: index, contact, event, startedAt: this.now, status: 'active', reason: null },
        ...{ wakeAt: null, sent: [] },
      };
      starting.push(trip);
    });
    this.trips.push(...starting);
    for (const trip of starting) {
      const steps = this.flows[trip.flow]!.steps;
      this.running.set(trip, this.walk(trip, steps, attributes));
      this.advance(trip);
    }
  }

  private mayEnter({ settings }: ModelFlow, flow: number, contact: string): boolean {
    const before = this.trips.filter((trip) => trip.flow === flow && trip.contact === contact);
    if (settings.reentry_policy === 'never') return before.length === 0;
    if (settings.reentry_policy === 'after_completion')
      return before.every(({ status }) => status !== 'paused');
    if (settings.reentry_policy === 'cooldown')
      return before.every(({ startedAt }) => this.now - startedAt >= settings.reentry_cooldown_days! * DAY);
    return true;
  }

  private advance(trip: ModelTrip): void {
    const way = this.running.get(trip)!;
    for (;;) {
      const { done, value } = way.next();
      if (done) {
        Object.assign(trip, { status: 'completed', reason: value, wakeAt: null });
        return;
      }
      if ('waitFor' in value) {
        Object.assign(trip, { status: 'paused', wakeAt: this.now + value.waitFor });
        return;
      }
      trip.sent.push(value.send);
    }
  }

  private *walk(
    trip: ModelTrip,
    steps: readonly Json[],
    trigger: Json,
  ): Generator<Rest, 'skipped_to_end' | 'finished'> {
    for (const step of steps) {
      if (step['type'] === 'wait') yield { waitFor: lengthOf(step['duration']) };
      if (step['type'] === 'send_email') yield { send: step['subject'] };
      if (step['type'] === 'update_contact') {
        const properties = { ...this.properties.get(trip.contact), ...step['set'] };
        for (const [name, value] of Object.entries(properties)) if (value === null) delete properties[name];
        this.properties.set(trip.contact, properties);
      }
      if (step['type'] === 'condition') {
        const directive = this.holds(trip, step['check'], trigger) ? step['on_true'] : step['on_false'];
        if (directive === 'skip_to_end') return 'skipped_to_end';
      }
      if (step['type'] === 'conditional_split') {
        const branch = step['branches'].find(
          (one: Json) => !one['check'] || this.holds(trip, one['check'], trigger),
        );
        if (!branch) continue;
        if ((yield* this.walk(trip, branch.steps ?? [], trigger)) === 'skipped_to_end')
          return 'skipped_to_end';
        if (branch.on_true === 'skip_to_end') return 'skipped_to_end';
      }
      if (step['type'] === 'ab_split') {
        const variant = drawn(
          step['variants'],
          `${this.tripId(trip)} ${idOf(this.flows[trip.flow]!.steps, step)}`,
        );
        if ((yield* this.walk(trip, variant['steps'] ?? [], trigger)) === 'skipped_to_end')
          return 'skipped_to_end';
      }
    }
    return 'finished';
  }

  private holds(trip: ModelTrip, check: Json, trigger: Json): boolean {
    switch (check['source']) {
      case 'latest_event': {
        const latest = this.latest.get(`${trip.contact} ${check['event_name']}`);
        const isThere =
          latest !== undefined &&
          (!check['within'] || this.now - latest.at <= lengthOf(check['within'])) &&
          Object.entries(check['attributes'] ?? {}).every(([key, value]) => latest.attributes[key] === value);
        return isThere === check['exists'];
      }
      case 'segment':
        return this.isMember(trip.contact) === check['member'];
      case 'contact':
        return passes(check, this.properties.get(trip.contact)?.[check['field'].slice('properties.'.length)]);
      default:
        return passes(check, trigger[check['attribute']]);
    }
  }
}

function passes({ operator, value }: Json, known: unknown): boolean {
  switch (operator) {
    case 'exists':
      return known !== undefined;
    case 'equals':
      return known === value;
    case 'not_equals':
      return known !== value;
    case 'greater_than':
      return typeof known === 'number' && known > value;
    default:
      throw new Error(`The model does not know ${operator}.`);
  }
}

/**
 * The number of a step in a flow that was never changed: its position, with the steps of a split numbered after the
 * split.
 */
function idOf(steps: readonly Json[], wanted: Json): number {
  const all = (list: readonly Json[]): Json[] =>
    list.flatMap((step) => [
      step,
      ...[...(step['branches'] ?? []), ...(step['variants'] ?? [])].flatMap((one: Json) =>
        all(one['steps'] ?? []),
      ),
    ]);
  return all(steps).indexOf(wanted) + 1;
}

function drawn(variants: readonly Json[], key: string): Json {
  const point = (createHash('sha256').update(key).digest().readUIntBE(0, 6) % 10_000) / 100;
  let end = 0;
  return variants.find((variant) => point < (end += variant['percentage'])) ?? variants.at(-1)!;
}

export const EVENTS = ['signed_up', 'ordered', 'opened', 'left'];
export const CONTACTS = ['ada', 'bob', 'carl', 'dora'];
const PROPERTIES = ['a', 'b'];
/** Placeholder for the id of the segment in random flows. */
export const SEGMENT = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';

const attributes = fc.record({ n: fc.nat(3) }, { requiredKeys: [] });

/** A random check. `own` prefixes the property names, so that two flows never share a property of a contact. */
function check(own: string): fc.Arbitrary<Json> {
  const test = fc.oneof(
    fc.constant({ operator: 'exists' }),
    fc.record({ operator: fc.constantFrom('equals', 'not_equals', 'greater_than'), value: fc.nat(3) }),
  );
  return fc.oneof(
    fc.record(
      {
        source: fc.constant('latest_event'),
        event_name: fc.constantFrom(...EVENTS),
        exists: fc.boolean(),
        within: fc.constantFrom('45m', '3h', '2d'),
        attributes,
      },
      { requiredKeys: ['source', 'event_name', 'exists'] },
    ),
    fc
      .tuple(fc.constantFrom(...PROPERTIES), test)
      .map(([name, asked]) => ({ source: 'contact', field: `properties.${own}${name}`, ...asked })),
    test.map((asked) => ({ source: 'trigger_event', attribute: 'n', ...asked })),
    fc.boolean().map((member) => ({ source: 'segment', segment_id: SEGMENT, member })),
  );
}

const directive = fc.constantFrom('continue', 'continue', 'skip_to_end');

function tree(own: string): fc.Arbitrary<Json[]> {
  const asked = check(own);
  const leaf = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.constantFrom('20m', '1h', '1d').map((duration) => ({ type: 'wait', duration })),
    },
    { weight: 2, arbitrary: fc.constant({ type: 'send_email', template_slug: 'hello' }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...PROPERTIES), fc.option(fc.nat(3)))
        .map(([name, value]) => ({ type: 'update_contact', set: { [own + name]: value } })),
    },
    {
      weight: 2,
      arbitrary: fc.record(
        { type: fc.constant('condition'), check: asked, on_true: directive, on_false: directive },
        { requiredKeys: ['type', 'check'] },
      ),
    },
  );
  return fc.letrec<{ steps: Json[]; step: Json }>((tie) => {
    const steps = tie('steps');
    const branch = fc.record({ check: asked, steps, on_true: directive }, { requiredKeys: ['check'] });
    const last = fc.record({ check: asked, steps, on_true: directive }, { requiredKeys: [] });
    return {
      steps: fc.array(tie('step'), { minLength: 1, maxLength: 5, size: 'max' }),
      step: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 4, arbitrary: leaf },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.array(branch, { maxLength: 2 }), last)
            .map(([some, one]) => ({ type: 'conditional_split', branches: [...some, one] })),
        },
        {
          weight: 1,
          arbitrary: fc.tuple(fc.integer({ min: 1, max: 9_999 }), steps, steps).map(([part, one, other]) => ({
            type: 'ab_split',
            variants: [
              { name: 'A', percentage: part / 100, steps: one },
              { name: 'B', percentage: (10_000 - part) / 100, steps: other },
            ],
          })),
        },
      ),
    };
  }).steps;
}

/** Gives each message of the steps a unique subject. */
function withSubjects(steps: readonly Json[], count = { of: 0 }): Json[] {
  return steps.map((step) => {
    if (step['type'] === 'send_email') return { ...step, subject: `message ${++count.of}` };
    const inner = (lists: readonly Json[]): Json[] =>
      lists.map((list) =>
        list['steps'] ? { ...list, steps: withSubjects(list['steps'], count) } : { ...list },
      );
    if (step['branches']) return { ...step, branches: inner(step['branches']) };
    if (step['variants']) return { ...step, variants: inner(step['variants']) };
    return { ...step };
  });
}

/** A random flow. Trips of the same contact and flow overlap only if they do not change the contact. */
export function randomFlow(own: string): fc.Arbitrary<ModelFlow> {
  return fc
    .record({
      trigger_event: fc.constantFrom(...EVENTS),
      trigger_conditions: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: attributes },
      ),
      members_only: fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.boolean() },
      ),
      policy: fc.constantFrom('never', 'after_completion', 'always', 'cooldown'),
      steps: tree(own),
    })
    .map(({ policy, steps, ...flow }) => {
      const changes = JSON.stringify(steps).includes('update_contact');
      const reentry_policy = changes && policy !== 'never' ? 'after_completion' : policy;
      const reentry_cooldown_days = reentry_policy === 'cooldown' ? 1 : null;
      return {
        ...flow,
        steps: withSubjects(steps),
        settings: { reentry_policy, reentry_cooldown_days },
      };
    });
}

export function randomActions(flows: number, length: number): fc.Arbitrary<ModelAction[]> {
  return fc.array(
    fc.oneof(
      {
        weight: 20,
        arbitrary: fc
          .record({ contact: fc.constantFrom(...CONTACTS), name: fc.constantFrom(...EVENTS), attributes })
          .map((event): ModelAction => ({ kind: 'event', event })),
      },
      {
        weight: 14,
        arbitrary: fc
          .constantFrom(1, 19, 20, 60, 61, 180, 1_440, 2_881)
          .map((minutes): ModelAction => ({ kind: 'wind', minutes })),
      },
      { weight: 1, arbitrary: fc.nat(flows - 1).map((flow): ModelAction => ({ kind: 'stop', flow })) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...CONTACTS).map((contact): ModelAction => ({ kind: 'delete', contact })),
      },
    ),
    { minLength: Math.ceil(length / 3), maxLength: length, size: 'max' },
  );
}
