/** The segments that checks refer to, section 2.3. They must exist in the flow's workspace when it is saved. */
import { invalidFields } from '../../../kernel/domain-error.js';
import type { NewStep, Step } from './step.js';
import { checksWithPaths } from './step-tree.js';

interface SegmentReference {
  readonly id: string;
  /** Path of the check, such as `steps[2].check`. */
  readonly path: string;
}

/** The segments that checks of the steps refer to, at any depth. */
export function segmentReferences(steps: readonly (NewStep | Step)[]): SegmentReference[] {
  return checksWithPaths(steps).flatMap(({ check, path }) =>
    check.source === 'segment' ? [{ id: check.segmentId.toLowerCase(), path }] : [],
  );
}

/**
 * @throws DomainError invalid_field that names every check of a segment which does not exist.
 */
export function assertSegmentsExist(
  references: readonly SegmentReference[],
  existing: ReadonlySet<string>,
): void {
  const unknown = references.filter(({ id }) => !existing.has(id));
  if (unknown.length === 0) return;
  const message = 'refers to a segment that does not exist';
  // Checks are JSON with the field names of REST, also in GraphQL.
  throw invalidFields(unknown.map(({ path }) => ({ field: `${path}.segment_id`, message })));
}
