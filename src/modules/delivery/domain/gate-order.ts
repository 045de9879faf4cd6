/**
 * The order in which gates check messages, shared by real sends and rehearsals: first the clocks, then the cap, then
 * the throttle, so that a message that cannot go takes no capacity of the cap and no slot. This is a generator: it asks
 * its caller for what it must know about other messages, and the caller answers from the ledger or from memory before
 * it resumes it.
 */
import { HOUR } from '../../../kernel/duration.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import {
  countsForCap,
  decideByCap,
  decideBySendHours,
  isCapped,
  NEVER_DUE,
  type CountedMessages,
  type GateRefusal,
  type SendGate,
  type StepSendSettings,
} from './send-gates.js';

/** The part of a message that gates check. */
export interface GatedMessage {
  readonly contactId: string;
  readonly contactTimezone: string | null;
  /** The source whose throttle applies; null if the message has no source that could have one. */
  readonly sourceId: string | null;
  /** Whether it holds a slot of that throttle. */
  readonly hasSlot: boolean;
}

/** The rules that people have set. */
export interface GateRules<Message> {
  readonly workspace: WorkspaceSettings;
  readonly settingsOf: (message: Message) => StepSendSettings;
}

/**
 * A question that the caller answers by filling it in before it resumes. A field that is not filled in keeps its
 * initial value.
 */
export type GateQuery<Message> =
  /** Clocks would hold a message for long: are these rules still current? */
  | { readonly about: 'rules'; rules: GateRules<Message> }
  /**
   * The counts of contacts' messages toward the cap since a given time, without the messages that are being checked.
   */
  | {
      readonly about: 'counted';
      readonly contactIds: ReadonlySet<string>;
      readonly since: Date;
      counted: ReadonlyMap<string, CountedMessages>;
    }
  /** Which messages that need a slot must wait for it. The others get theirs. */
  | { readonly about: 'slots'; readonly messages: readonly Message[]; waiting: ReadonlySet<Message> };

export interface GateHold {
  readonly gate: SendGate;
  readonly until: Date;
}

/** The gates' findings. A message without a finding may go. */
export interface GateFindings<Message> {
  readonly held: ReadonlyMap<Message, GateHold>;
  readonly refused: ReadonlyMap<Message, GateRefusal>;
}

interface MutableFindings<Message> {
  readonly held: Map<Message, GateHold>;
  readonly refused: Map<Message, GateRefusal>;
}

/** Checks the gates for messages, in the order in which these use up a cap. */
export function* checkGates<Message extends GatedMessage>(
  messages: readonly Message[],
  initialRules: GateRules<Message>,
  now: Date,
): Generator<GateQuery<Message>, GateFindings<Message>, void> {
  let rules = initialRules;
  let found = checkSendHours(messages, rules, now);
  if (found.held.size > 0) {
    const query: GateQuery<Message> = { about: 'rules', rules };
    yield query;
    ({ rules } = query);
    if (rules !== initialRules) found = checkSendHours(messages, rules, now);
  }
  const isOpen = (message: Message): boolean => !found.held.has(message) && !found.refused.has(message);
  yield* checkCap(messages.filter(isOpen), rules, found, now);
  const needingSlot = messages.filter(
    (message) => isOpen(message) && message.sourceId !== null && !message.hasSlot,
  );
  if (needingSlot.length === 0) return found;
  const query: GateQuery<Message> = { about: 'slots', messages: needingSlot, waiting: new Set<Message>() };
  yield query;
  for (const message of query.waiting) found.held.set(message, { gate: 'throttle', until: NEVER_DUE });
  return found;
}

function checkSendHours<Message extends GatedMessage>(
  messages: readonly Message[],
  { workspace, settingsOf }: GateRules<Message>,
  now: Date,
): MutableFindings<Message> {
  const found: MutableFindings<Message> = { held: new Map(), refused: new Map() };
  for (const message of messages) {
    const settings = settingsOf(message);
    if (!settings) continue;
    const { contactTimezone } = message;
    const decision = decideBySendHours({ settings, workspace, contactTimezone }, now);
    if (decision.kind === 'never') found.refused.set(message, 'no_open_hours');
    if (decision.kind === 'wait') found.held.set(message, { gate: decision.gate, until: decision.until });
  }
  return found;
}

function* checkCap<Message extends GatedMessage>(
  messages: readonly Message[],
  { workspace: { frequencyCap: cap }, settingsOf }: GateRules<Message>,
  found: MutableFindings<Message>,
  now: Date,
): Generator<GateQuery<Message>, void, void> {
  if (!cap) return;
  const capped = messages.filter((message) => isCapped(settingsOf(message)));
  if (capped.length === 0) return;
  const query: GateQuery<Message> = {
    about: 'counted',
    contactIds: new Set(capped.map(({ contactId }) => contactId)),
    since: new Date(now.getTime() - cap.periodHours * HOUR),
    counted: new Map(),
  };
  yield query;
  const counted = new Map(query.counted);
  for (const message of messages) {
    const settings = settingsOf(message);
    const before = counted.get(message.contactId) ?? NONE_COUNTED;
    if (isCapped(settings)) {
      const decision = decideByCap(before, cap.max, now);
      if (decision.kind === 'suppress') found.refused.set(message, 'frequency_cap');
      if (decision.kind === 'wait') found.held.set(message, { gate: 'frequency_cap', until: decision.until });
      if (decision.kind !== 'open') continue;
    }
    if (countsForCap(settings)) counted.set(message.contactId, { ...before, inHand: before.inHand + 1 });
  }
}

const NONE_COUNTED: CountedMessages = { sent: 0, inHand: 0 };
