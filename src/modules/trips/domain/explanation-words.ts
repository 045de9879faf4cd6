/** The sentences in which a trip's decisions are told. They name what the flow asks, never what a contact's values are. */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { asksAddress } from '../../flows/domain/address-checks.js';
import type { Check, ContactCheck } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { namesAddress } from '../../segments/domain/filter-needs.js';
import type { TrailEntry } from './trail.js';

/** What an entry of a trail is told as. */
export interface Told {
  /** A code that does not change. */
  readonly reason: string;
  readonly detail: string;
}

/** Why trips are over, and why they could not go on. */
const ENDS: Readonly<Record<string, string>> = {
  finished: 'It went through all of its steps.',
  skipped_to_end: 'A check sent it to the end of the flow.',
  flow_stopped: 'Its flow was stopped.',
  contact_deleted: 'Its contact was deleted.',
  goal_conversion: 'Its contact reached a goal that ends the trip.',
  ended_by_hand: 'Somebody ended it by hand.',
  definition_missing: 'The version of the flow that it follows is gone.',
  contact_missing: 'Its contact does not exist.',
  invalid_step: 'Its next step cannot be taken as it is stored.',
};

export function endWords(reason: string): string {
  return ENDS[reason] ?? 'It is over.';
}

/** What is told of an entry that is of no step, or of one by a person. */
export function outsideWords({ outcome, facts = {} }: TrailEntry): Told | undefined {
  const reason = textOf(facts['reason']);
  const by = facts['by'] === undefined ? '' : ` By ${textOf(facts['by'])}.`;
  switch (outcome) {
    case 'failed':
      return { reason, detail: `The trip cannot go on. ${endWords(reason)}` };
    case 'ended':
      return { reason, detail: `The trip was ended. ${endWords(reason)}${by}` };
    case 'wait_skipped':
      return { reason: 'skipped_by_hand', detail: `The wait was cut short by hand.${by}` };
    case 'retried':
      return { reason: 'retried_by_hand', detail: `The trip was taken up again by hand.${by}` };
    case 'sent_again':
      return {
        reason: 'sent_again_by_hand',
        detail: `The email of the step was asked for again by hand.${by}`,
      };
    case 'gap':
      return { reason: 'trail_shortened', detail: 'Decisions in between are no longer kept.' };
    default:
      return undefined;
  }
}

/**
 * What is told of what was decided at a step.
 * @param withValues whether contacts are shown to the caller: else a check of an address is told without its answer.
 */
export function stepWords(
  { outcome, facts = {} }: TrailEntry,
  step: Step | undefined,
  withValues: boolean,
): Told {
  switch (step?.type) {
    case 'update_contact':
      return {
        reason: 'contact_updated',
        detail: `Sets ${Object.keys(step.set).join(', ')} on the contact.`,
      };
    case 'wait':
      return { reason: 'wait', detail: `Waits ${step.duration}, until ${textOf(facts['resume_at'])}.` };
    case 'send_email':
      return { reason: 'message_asked_for', detail: `Asks for the email “${step.templateSlug}”.` };
    case 'condition': {
      const then = outcome === 'skip_to_end' ? 'Skips to the end' : 'Goes on';
      if (!withValues && asksAddress(step.check))
        return { reason: 'check_asked', detail: `Asks about ${withheldWords(step.check)}. ${then}.` };
      const holds = facts['holds'] === true;
      return {
        reason: holds ? 'check_holds' : 'check_fails',
        detail: `Asks whether ${checkWords(step.check)}: ${holds ? 'yes' : 'no'}. ${then}.`,
      };
    }
    case 'conditional_split':
      return splitWords(outcome, step.branches, withValues);
    case 'ab_split':
      return {
        reason: 'variant_drawn',
        detail: `Draws ${textOf(facts['drawn'])} of 100 and takes ${outcome.replace(/^variant /, 'the variant ')}.`,
      };
    case undefined:
      return { reason: outcome, detail: 'The step is no longer known.' };
  }
}

function splitWords(
  outcome: string,
  branches: readonly { readonly name?: string; readonly check?: Check }[],
  withValues: boolean,
): Told {
  const index = Number(/^branch (\d+)$/.exec(outcome)?.[1] ?? -1);
  const branch = branches[index];
  if (!branch) return { reason: 'no_branch', detail: 'No branch holds. Goes on behind the split.' };
  const name = branch.name === undefined ? '' : ` (“${branch.name}”)`;
  const why = branchWords(branch.check, withValues);
  return { reason: 'branch_taken', detail: `Takes the branch ${index + 1}${name}, ${why}.` };
}

function branchWords(check: Check | undefined, withValues: boolean): string {
  if (!check) return 'since no other holds';
  return withValues || !asksAddress(check) ? `since ${checkWords(check)}` : `by ${withheldWords(check)}`;
}

function withheldWords({ field }: ContactCheck): string {
  return `the contact’s ${field}, of which only those are told who may read contacts`;
}

/** What a check asks. */
export function checkWords(check: Check): string {
  switch (check.source) {
    case 'latest_event': {
      const within = check.within === undefined ? '' : ` within ${check.within}`;
      const matching = check.attributes === undefined ? '' : ' that matches';
      return `there is ${check.exists ? 'an' : 'no'} event “${check.eventName}”${matching}${within}`;
    }
    case 'segment':
      return `the contact is ${check.member ? '' : 'not '}in the segment ${check.segmentId}`;
    case 'contact':
      return `the contact’s ${check.field} ${operatorWords(check)}`;
    case 'trigger_event':
      return `${check.attribute} of the event that started the trip ${operatorWords(check)}`;
  }
}

function operatorWords({ operator, value }: { readonly operator: string; readonly value?: unknown }): string {
  const words = operator.replaceAll('_', ' ');
  return value === undefined ? words : `${words} ${JSON.stringify(value)}`;
}

/** A value of a trail's facts as a word. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** What was seen, as it is shown: of a person only to those who may read contacts. */
export function shownFacts({ facts = {}, values }: TrailEntry, withValues: boolean): JsonObject {
  if (withValues) return { ...facts, ...(values ? { values } : {}) };
  const { asked } = facts;
  return {
    ...withoutAnswer(facts),
    ...(Array.isArray(asked)
      ? { asked: asked.map((one: unknown) => (isJsonObject(one) ? withoutAnswer(one) : one)) }
      : {}),
  };
}

/** What a check saw, without whether it holds where that tells of an address. */
function withoutAnswer(saw: JsonObject): JsonObject {
  const { holds, ...rest } = saw;
  const { field } = saw;
  return holds === undefined || (typeof field === 'string' && namesAddress(field)) ? rest : saw;
}
