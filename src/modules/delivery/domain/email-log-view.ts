/** A message as REST and GraphQL show it. */
import type { EmailLog } from './email-log.js';
import { tripOf } from './email-origin.js';
import type { Hold } from './send-gates.js';

type HiddenField =
  'triggerEventId' | 'options' | 'clickMarks' | 'reissues' | 'originStep' | 'sourceId' | 'waitsFor';

export interface EmailLogView extends Omit<EmailLog, HiddenField> {
  readonly flowId: string | null;
  readonly campaignId: string | null;
  readonly tripId: string | null;
  /** The id of the flow's step. */
  readonly step: number | null;
  /** What holds the message, and until when at the earliest. */
  readonly waitsFor: { readonly gate: Hold; readonly until: Date } | null;
}

export function emailLogView(log: EmailLog): EmailLogView {
  const {
    triggerEventId: _event,
    options: _options,
    clickMarks: _marks,
    reissues: _reissues,
    originStep: _step,
    sourceId,
    waitsFor: gate,
    ...shown
  } = log;
  const trip = tripOf(log);
  return {
    ...shown,
    waitsFor: gate && { gate, until: log.nextAttemptAt },
    flowId: trip ? sourceId : null,
    campaignId: log.origin === 'campaign' ? sourceId : null,
    tripId: trip?.tripId ?? null,
    step: trip?.step ?? null,
  };
}
