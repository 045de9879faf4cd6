/** Errors and warnings of the gate before sending, in the REST endpoints that send (section 4.7). */
import { restOf } from '../../../platform/output/output-class.js';
import type { GateNotice } from '../domain/gate/gate.js';
import { InspectWarningOutput } from '../output/inspect-warning.output.js';

/** The errors of the gate before sending. */
export const GATE_ERRORS = ['inspection_blocked', 'service_unavailable'] as const;

/** `warnings`, if there are any. */
export function presentWarnings(warnings: readonly GateNotice[]): { warnings?: object[] } {
  if (warnings.length === 0) return {};
  return { warnings: warnings.map((warning) => restOf(InspectWarningOutput, warning)) };
}
