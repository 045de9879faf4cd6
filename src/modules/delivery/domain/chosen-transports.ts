/** Which of the operator's transports a workspace's mail can use, and in which order. */
import type { Environment } from '../../../kernel/tenant-scope.js';

/**
 * Returns only the transports that the workspace has chosen, in its order. If it has chosen none, or none that still
 * exists, returns all in the operator's order. The test environment has a single transport, regardless of the choice.
 */
export function chosenTransports<Named extends { readonly name: string }>(
  all: readonly Named[],
  environment: Environment,
  chosen: readonly string[] = [],
): readonly Named[] {
  if (environment === 'test') return all;
  const found = chosen.flatMap((name) => all.find((one) => one.name === name) ?? []);
  return found.length > 0 ? found : all;
}
