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
import { resourceOutcome, type ResourceResults } from '../domain/resources/resource-outcome.js';
import { FETCH_BUDGET_MS } from '../domain/runs/run-bounds.js';
import { InspectFetchRepository, type RequestedAddress } from '../persistence/inspect-fetch.repository.js';
import { ResourceFetcher } from './resource-fetcher.js';
import { isShown, type ShownImages } from './shown-images.js';

/** Maximum number of concurrent requests of a run. */
const MAX_CONCURRENT_REQUESTS = 20;
/** Maximum number of addresses that a run checks. */
const MAX_ADDRESSES = 200;

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
    {
      budget = FETCH_BUDGET_MS.request,
      shown,
    }: { readonly budget?: number; readonly shown?: ShownImages } = {},
  ): Promise<CheckOutcome[]> {
    signal.throwIfAborted();
    const addresses = distinct(resources);
    const requested = addresses.slice(0, MAX_ADDRESSES);
    const known = await this.fetches.findFresh(scope, requested, this.clock.now());
    const fetched = await this.fetchAll(
      scope,
      requested.filter((each) => {
        const outcome = known.get(each);
        return !outcome || (shown && outcome.content?.header && isShown(outcome.content.header));
      }),
      { signal, budget, shown },
    );
    await this.fetches.store(scope, fetched, this.clock.now());
    signal.throwIfAborted();
    const outcomes = new Map([...known, ...fetched].map(([each, outcome]) => [keyOf(each), outcome]));
    const resultsOf = (kind: Resource['kind']): ResourceResults => ({
      resources: resources.filter((each) => each.kind === kind),
      outcomeOf: (resource) => outcomes.get(keyOf(resource)),
      omitted: addresses.slice(MAX_ADDRESSES).filter((each) => each.kind === kind).length,
      unchecked: requested.filter((each) => each.kind === kind && !outcomes.has(keyOf(each))).length,
      limit: MAX_ADDRESSES,
    });
    return [resourceOutcome('links', resultsOf('link')), resourceOutcome('images', resultsOf('image'))];
  }

  /** The answer of each address; addresses for which there was no time are left out. */
  private async fetchAll(
    scope: WorkspaceScope,
    requested: readonly RequestedAddress[],
    {
      signal,
      budget,
      shown,
    }: { readonly signal: AbortSignal; readonly budget: number; readonly shown: ShownImages | undefined },
  ): Promise<Map<RequestedAddress, FetchOutcome>> {
    const outcomes = new Map<RequestedAddress, FetchOutcome>();
    if (requested.length === 0) return outcomes;
    const stopController = new AbortController();
    const stop = (): void => stopController.abort();
    const timer = setTimeout(stop, budget);
    signal.addEventListener('abort', stop);
    const queue = requested.values();
    const worker = async (): Promise<void> => {
      for (const each of queue) {
        if (stopController.signal.aborted) return;
        const outcome = await this.fetcher.fetch(scope, each, stopController.signal, shown);
        if (outcome) outcomes.set(each, outcome);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_REQUESTS, requested.length) }, worker));
    } finally {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
    return outcomes;
  }
}

/** Each address once, in the order of the message. */
function distinct(resources: readonly Resource[]): RequestedAddress[] {
  const byKey = new Map<string, RequestedAddress>();
  for (const { kind, address } of resources) {
    const requested = { kind, address };
    if (!byKey.has(keyOf(requested))) byKey.set(keyOf(requested), requested);
  }
  return [...byKey.values()];
}

function keyOf({ kind, address }: RequestedAddress): string {
  return `${kind} ${address}`;
}
