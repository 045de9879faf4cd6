/**
 * The outcome of a check of links or images: findings of each element at fault, and the addresses that were not
 * checked.
 */
import { HOUR, MINUTE } from '../../../../kernel/duration.js';
import type { Resource } from '../analysis/analysis.js';
import type { CheckOutcome } from '../runs/check.js';
import type { FetchOutcome } from './fetch-outcome.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { imageVerdicts, totalVerdict } from './image-verdicts.js';
import { linkVerdicts, type Verdict } from './link-verdicts.js';

/**
 * How long an answer without a fault stays valid, in milliseconds on the product's clock; no answer stays valid longer.
 */
export const ANSWER_TTL_MS = HOUR;
/** How long an answer with a fault stays valid: its author may have fixed it by the next run. */
const FAULT_TTL_MS = MINUTE;

/** How long an outcome stays valid, in milliseconds. */
export function lifetimeOf(kind: Resource['kind'], outcome: FetchOutcome): number {
  const isWithoutAnswer = outcome.failure !== null || outcome.status === null;
  return isWithoutAnswer || verdictsOf(kind, outcome).length > 0 ? FAULT_TTL_MS : ANSWER_TTL_MS;
}

export interface ResourceResults {
  readonly resources: readonly Resource[];
  /** Undefined for an address that was not checked. */
  readonly outcomeOf: (resource: Resource) => FetchOutcome | undefined;
  /** The number of addresses beyond the limit of a run. */
  readonly omitted: number;
  /** The number of addresses for which there was no time, or no permit. */
  readonly unchecked: number;
  /** The maximum number of addresses of a run. */
  readonly limit: number;
}

/**
 * A check that did not cover every address has failed, even without findings, since the others may be at fault; it says
 * how many were missed.
 */
export function resourceOutcome(name: 'links' | 'images', results: ResourceResults): CheckOutcome {
  const { resources, outcomeOf, omitted, unchecked } = results;
  const findings = resources.flatMap((resource) => {
    const outcome = outcomeOf(resource);
    return outcome ? findingsOf(resource, outcome) : [];
  });
  const checked = resources.filter((resource) => outcomeOf(resource) !== undefined);
  if (name === 'images') findings.push(...totalFindings(checked, outcomeOf));
  return { name, status: omitted + unchecked > 0 ? 'failed' : 'done', detail: detailOf(results), findings };
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
function totalFindings(images: readonly Resource[], outcomeOf: ResourceResults['outcomeOf']): RuleFinding[] {
  const byAddress = new Map(images.map((image) => [image.address, outcomeOf(image)?.content]));
  const contents = [...byAddress.values()].filter((content) => content?.header);
  const verdict = totalVerdict(contents.flatMap((content) => content ?? []));
  return verdict ? [{ rule: verdict[0], message: verdict[1], at: null, target: 'images' }] : [];
}

function detailOf({ omitted, unchecked, limit }: ResourceResults): string | null {
  const parts = [
    ...(unchecked > 0 ? [`Not checked because of the time limit: ${formatAddressCount(unchecked)}.`] : []),
    ...(omitted > 0
      ? [`Not checked: ${formatAddressCount(omitted)} beyond the first ${limit} of the message.`]
      : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

function formatAddressCount(addresses: number): string {
  return addresses === 1 ? '1 address' : `${addresses} addresses`;
}
