/** The errors of the gate before sending, in the REST endpoints that send (section 4.7). */
export const GATE_ERRORS = ['inspection_blocked', 'service_unavailable'] as const;
