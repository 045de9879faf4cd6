/**
 * The outcome of a check of links or images: findings of each element at fault, and the addresses that were not
 * checked.
 */
import { HOUR, MINUTE } from '../../../../kernel/duration.js';
import type { Resource } from '../analysis/analysis.js';
import type { CheckOutcome } from '../runs/check.js';
import type { FetchOutcome } from './fetch-outcome.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { imageVerdicts, totalVerdict } from './image-outcomes.js';
import { linkVerdicts, type Verdict } from './link-outcomes.js';

/**
 * How long an answer without a fault stays valid, in milliseconds on the product's clock; no answer stays valid longer.
 */
export const ANSWER_AGE = HOUR;
/** How long an answer with a fault stays valid: its author may have fixed it by the next run. */
const FAULT_AGE = MINUTE;

/** How long an outcome stays valid, in milliseconds. */
export function lifetimeOf(kind: Resource['kind'], outcome: FetchOutcome): number {
  const isWithoutAnswer = outcome.failure !== null || outcome.status === null;
  return isWithoutAnswer || verdictsOf(kind, outcome).length > 0 ? FAULT_AGE : ANSWER_AGE;
}

export interface Looks {
  readonly resources: readonly Resource[];
  /** Undefined for an address that was not checked. */
  readonly outcomeOf: (resource: Resource) => FetchOutcome | undefined;
  /** The number of addresses beyond the limit of a run. */
  readonly left: number;
  /** The number of addresses for which there was no time, or no permit. */
  readonly missed: number;
  /** The maximum number of addresses of a run. */
  readonly most: number;
}

/**
 * A check that did not cover every address has failed, even without findings, since the others may be at fault; it says
 * how many were missed.
 */
export function resourceOutcome(name: 'links' | 'images', looks: Looks): CheckOutcome {
  const { resources, outcomeOf, left, missed } = looks;
  const findings = resources.flatMap((resource) => {
    const outcome = outcomeOf(resource);
    return outcome ? findingsOf(resource, outcome) : [];
  });
  const seen = resources.filter((resource) => outcomeOf(resource) !== undefined);
  if (name === 'images') findings.push(...ofAll(seen, outcomeOf));
  return { name, status: left + missed > 0 ? 'failed' : 'done', detail: detailOf(looks), findings };
}

function findingsOf(resource: Resource, outcome: FetchOutcome): RuleFinding[] {
  const { kind, address, at, until } = resource;
  return verdictsOf(kind, outcome).map(([rule, what]) => ({
    ...{ rule, at, until },
    message: `The ${kind} ${quote(address)} ${what}.`,
  }));
}

function verdictsOf(kind: Resource['kind'], outcome: FetchOutcome): readonly Verdict[] {
  return kind === 'link' ? linkVerdicts(outcome) : imageVerdicts(outcome);
}

/** Each image counts once: it is loaded once, however often it is shown. */
function ofAll(images: readonly Resource[], outcomeOf: Looks['outcomeOf']): RuleFinding[] {
  const byAddress = new Map(images.map((image) => [image.address, outcomeOf(image)?.content]));
  const contents = [...byAddress.values()].filter((content) => content?.header);
  const verdict = totalVerdict(contents.flatMap((content) => content ?? []));
  return verdict ? [{ rule: verdict[0], message: verdict[1], at: null, target: 'images' }] : [];
}

function detailOf({ left, missed, most }: Looks): string | null {
  const parts = [
    ...(missed > 0 ? [`Not checked because of the time limit: ${count(missed)}.`] : []),
    ...(left > 0 ? [`Not checked: ${count(left)} beyond the first ${most} of the message.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

function count(addresses: number): string {
  return addresses === 1 ? '1 address' : `${addresses} addresses`;
}
