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
  decideByClocks,
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
export type GateQuestion<Message> =
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
  | { readonly about: 'slots'; readonly messages: readonly Message[]; inLine: ReadonlySet<Message> };

export interface HeldBack {
  readonly gate: SendGate;
  readonly until: Date;
}

/** The gates' findings. A message without a finding may go. */
export interface GateFindings<Message> {
  readonly held: ReadonlyMap<Message, HeldBack>;
  readonly refused: ReadonlyMap<Message, GateRefusal>;
}

interface Passage<Message> {
  readonly held: Map<Message, HeldBack>;
  readonly refused: Map<Message, GateRefusal>;
}

/** Checks the gates for messages, in the order in which these use up a cap. */
export function* throughGates<Message extends GatedMessage>(
  messages: readonly Message[],
  asked: GateRules<Message>,
  now: Date,
): Generator<GateQuestion<Message>, GateFindings<Message>, void> {
  let rules = asked;
  let found = byClocks(messages, rules, now);
  if (found.held.size > 0) {
    const question: GateQuestion<Message> = { about: 'rules', rules };
    yield question;
    ({ rules } = question);
    if (rules !== asked) found = byClocks(messages, rules, now);
  }
  const isOpen = (message: Message): boolean => !found.held.has(message) && !found.refused.has(message);
  yield* underCap(messages.filter(isOpen), rules, found, now);
  const inNeed = messages.filter(
    (message) => isOpen(message) && message.sourceId !== null && !message.hasSlot,
  );
  if (inNeed.length === 0) return found;
  const question: GateQuestion<Message> = { about: 'slots', messages: inNeed, inLine: new Set<Message>() };
  yield question;
  for (const message of question.inLine) found.held.set(message, { gate: 'throttle', until: NEVER_DUE });
  return found;
}

function byClocks<Message extends GatedMessage>(
  messages: readonly Message[],
  { workspace, settingsOf }: GateRules<Message>,
  now: Date,
): Passage<Message> {
  const found: Passage<Message> = { held: new Map(), refused: new Map() };
  for (const message of messages) {
    const settings = settingsOf(message);
    if (!settings) continue;
    const { contactTimezone } = message;
    const decision = decideByClocks({ settings, workspace, contactTimezone }, now);
    if (decision.kind === 'never') found.refused.set(message, 'no_open_hours');
    if (decision.kind === 'wait') found.held.set(message, { gate: decision.gate, until: decision.until });
  }
  return found;
}

function* underCap<Message extends GatedMessage>(
  messages: readonly Message[],
  { workspace: { frequencyCap: cap }, settingsOf }: GateRules<Message>,
  found: Passage<Message>,
  now: Date,
): Generator<GateQuestion<Message>, void, void> {
  if (!cap) return;
  const asking = messages.filter((message) => isCapped(settingsOf(message)));
  if (asking.length === 0) return;
  const question: GateQuestion<Message> = {
    about: 'counted',
    contactIds: new Set(asking.map(({ contactId }) => contactId)),
    since: new Date(now.getTime() - cap.periodHours * HOUR),
    counted: new Map(),
  };
  yield question;
  const counted = new Map(question.counted);
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
