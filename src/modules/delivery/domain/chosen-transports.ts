/** Which of the operator's transports a workspace's mail may take, and in which order. */
import type { Environment } from '../../../kernel/tenant-scope.js';

/**
 * Those that the workspace has chosen, in its order, and no others; the operator's where it has chosen none, or none that
 * there still is. The test environment has one alone, whatever is chosen.
 */
export function chosenAmong<Named extends { readonly name: string }>(
  all: readonly Named[],
  environment: Environment,
  chosen: readonly string[] = [],
): readonly Named[] {
  if (environment === 'test') return all;
  const found = chosen.flatMap((name) => all.find((one) => one.name === name) ?? []);
  return found.length > 0 ? found : all;
}
