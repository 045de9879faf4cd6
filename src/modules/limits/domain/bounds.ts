/**
 * The windows that apply to a request, section 8.1. Both schemes apply together, and the tighter one decides: each key
 * and each user individually (scheme A, a minute and an hour), all keys of a workspace together per endpoint group
 * (scheme B, a minute). Some endpoints also have their own limit for the whole workspace.
 */
import type { KnownCaller } from './caller.js';
import { type EndpointClass, HOUR, MINUTE } from './endpoint.js';
import { highestKeyRate, PLANS, planOf, ratesOf } from './plan.js';
import type { WindowName } from './rate-decision.js';

/** A window that applies to a request. */
export interface Bound {
  readonly window: WindowName;
  /** Identifies the window. */
  readonly key: string;
  /** Requests, 1 or more. */
  readonly limit: number;
  /** Milliseconds. */
  readonly length: number;
}

/** The windows of a request; empty if it has no limit. */
export function boundsOf(
  caller: KnownCaller,
  { group, own }: Pick<EndpointClass, 'group' | 'own'>,
): readonly Bound[] {
  const bounds: Bound[] = [];
  const bind = (window: WindowName, key: string, limit: number, length: number): void => {
    if (limit !== Number.POSITIVE_INFINITY) bounds.push({ window, key, limit, length });
  };
  if (caller.kind === 'person') {
    const { minute, hour } = PLANS.free.perCaller;
    bind('person', `person minute:${caller.subject}`, minute, MINUTE);
    bind('person', `person hour:${caller.subject}`, hour, HOUR);
    return bounds;
  }
  const { workspaceId } = caller;
  const rates = ratesOf(planOf(caller.plan), caller.customRates);
  const { perCaller, perWorkspace } = rates;
  if (caller.kind === 'api_key') {
    // The plan may be smaller now than when the key was created.
    const minute =
      caller.rateLimitPerMinute === null
        ? perCaller.minute
        : Math.min(caller.rateLimitPerMinute, highestKeyRate(rates));
    bind('key', `key minute:${caller.keyId}`, minute, MINUTE);
    bind('key', `key hour:${caller.keyId}`, perCaller.hour, HOUR);
    bind('workspace', `${group}:${workspaceId}`, perWorkspace[group], MINUTE);
  } else {
    bind('person', `minute:${caller.subject}`, perCaller.minute, MINUTE);
    bind('person', `hour:${caller.subject}`, perCaller.hour, HOUR);
  }
  if (own) bind('endpoint', `${own.name}:${workspaceId}`, own.limit, own.windowMs);
  return bounds;
}
