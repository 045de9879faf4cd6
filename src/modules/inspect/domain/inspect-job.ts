/** What a run of quality analysis is (section 4.7). */
export const INSPECT_CHANNELS = ['email', 'push', 'in_app'] as const;
export type InspectChannel = (typeof INSPECT_CHANNELS)[number];

/** `quick`: analysis, spam, links and images, free of charge. `full`: besides, renderings in mail programs. */
export const INSPECT_MODES = ['full', 'quick'] as const;
export type InspectMode = (typeof INSPECT_MODES)[number];

/** Who asked for it: a member, a saved template, or the gate that found a version never examined. */
export type InspectTrigger = 'request' | 'save' | 'gate';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
