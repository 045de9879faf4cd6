/**
 * Checks the links and images of a message by requesting their addresses (section 4.7): each address once, a few
 * concurrently. A successful answer is reused for an hour. The outcome says which addresses the run did not check.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Resource } from '../domain/analysis/analysis.js';
import type { CheckOutcome } from '../domain/runs/check.js';
import type { FetchOutcome } from '../domain/resources/fetch-outcome.js';
import { resourceOutcome, type Looks } from '../domain/resources/resource-outcome.js';
import { ASKING } from '../domain/runs/run-bounds.js';
import { InspectFetchRepository, type Asked } from '../persistence/inspect-fetch.repository.js';
import { ResourceFetcher } from './resource-fetcher.js';
import { isShown, type ShownImages } from './shown-images.js';

/** Maximum number of concurrent requests of a run. */
const AT_A_TIME = 20;
/** Maximum number of addresses that a run checks. */
const MOST_ADDRESSES = 200;

@Injectable()
export class ResourceChecks {
  constructor(
    private readonly fetches: InspectFetchRepository,
    private readonly fetcher: ResourceFetcher,
    private readonly clock: Clock,
  ) {}

  /**
   * @param budget milliseconds of real time for requests.
   * @param shown receives the images, for screenshots; those requested within the hour are requested again for it.
   * @returns the check of the links, and that of the images.
   * @throws the signal's reason when it aborts the run.
   */
  async check(
    scope: WorkspaceScope,
    resources: readonly Resource[],
    signal: AbortSignal,
    { budget = ASKING.request, shown }: { readonly budget?: number; readonly shown?: ShownImages } = {},
  ): Promise<CheckOutcome[]> {
    signal.throwIfAborted();
    const addresses = distinct(resources);
    const asked = addresses.slice(0, MOST_ADDRESSES);
    const known = await this.fetches.known(scope, asked, this.clock.now());
    const found = await this.askAll(
      scope,
      asked.filter((each) => {
        const outcome = known.get(each);
        return !outcome || (shown && outcome.content?.header && isShown(outcome.content.header));
      }),
      { signal, budget, shown },
    );
    await this.fetches.store(scope, found, this.clock.now());
    signal.throwIfAborted();
    const outcomes = new Map([...known, ...found].map(([each, outcome]) => [keyOf(each), outcome]));
    const looks = (kind: Resource['kind']): Looks => ({
      resources: resources.filter((each) => each.kind === kind),
      outcomeOf: (resource) => outcomes.get(keyOf(resource)),
      left: addresses.slice(MOST_ADDRESSES).filter((each) => each.kind === kind).length,
      missed: asked.filter((each) => each.kind === kind && !outcomes.has(keyOf(each))).length,
      most: MOST_ADDRESSES,
    });
    return [resourceOutcome('links', looks('link')), resourceOutcome('images', looks('image'))];
  }

  /** The answer of each address; addresses for which there was no time are left out. */
  private async askAll(
    scope: WorkspaceScope,
    asked: readonly Asked[],
    {
      signal,
      budget,
      shown,
    }: { readonly signal: AbortSignal; readonly budget: number; readonly shown: ShownImages | undefined },
  ): Promise<Map<Asked, FetchOutcome>> {
    const found = new Map<Asked, FetchOutcome>();
    if (asked.length === 0) return found;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const alarm = setTimeout(end, budget);
    signal.addEventListener('abort', end);
    const queue = asked.values();
    const worker = async (): Promise<void> => {
      for (const each of queue) {
        if (ending.signal.aborted) return;
        const outcome = await this.fetcher.ask(scope, each, ending.signal, shown);
        if (outcome) found.set(each, outcome);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(AT_A_TIME, asked.length) }, worker));
    } finally {
      end();
      clearTimeout(alarm);
      signal.removeEventListener('abort', end);
    }
    return found;
  }
}

/** Each address once, in the order of the message. */
function distinct(resources: readonly Resource[]): Asked[] {
  const byKey = new Map<string, Asked>();
  for (const { kind, address } of resources) {
    const asked = { kind, address };
    if (!byKey.has(keyOf(asked))) byKey.set(keyOf(asked), asked);
  }
  return [...byKey.values()];
}

function keyOf({ kind, address }: Asked): string {
  return `${kind} ${address}`;
}
