/** The states of a campaign and the transitions that each call makes, section 3.3. */
import { DomainError } from '../../../kernel/domain-error.js';

export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'sending',
  'ab_testing',
  'paused',
  'resumed',
  'sent',
  'cancelled',
  'recurring',
  'stopped',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export type CampaignCall =
  | 'update'
  | 'delete'
  | 'send'
  | 'schedule'
  | 'unschedule'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'schedule-recurring'
  | 'stop-recurring'
  | 'resume-recurring'
  | 'ab-send-winner';

interface Move {
  readonly from: readonly CampaignStatus[];
  /** Undefined if the call leaves the status as it is, or deletes the campaign. */
  readonly to?: CampaignStatus;
}

const MOVES: Readonly<Record<CampaignCall, Move>> = {
  update: { from: ['draft'] },
  delete: { from: ['draft'] },
  send: { from: ['draft'], to: 'sending' },
  schedule: { from: ['draft', 'scheduled'], to: 'scheduled' },
  unschedule: { from: ['scheduled'], to: 'draft' },
  pause: { from: ['sending', 'ab_testing', 'resumed'], to: 'paused' },
  resume: { from: ['paused'], to: 'resumed' },
  cancel: {
    from: ['scheduled', 'sending', 'resumed', 'paused', 'ab_testing', 'recurring', 'stopped'],
    to: 'cancelled',
  },
  'schedule-recurring': { from: ['draft'], to: 'recurring' },
  'stop-recurring': { from: ['recurring', 'resumed'], to: 'stopped' },
  'resume-recurring': { from: ['stopped'], to: 'resumed' },
  'ab-send-winner': { from: ['ab_testing'], to: 'sending' },
};

/** The fields of a campaign that its transitions depend on. */
export interface MovedCampaign {
  readonly status: CampaignStatus;
  /** Null for a campaign that is sent once. */
  readonly recurrence: object | null;
  readonly abTest: object | null;
}

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly status: CampaignStatus }
  | { readonly kind: 'refused'; readonly allowedFrom: readonly CampaignStatus[] };

/**
 * The transition that a call makes. `resumed` has two cases: no call pauses a recurring campaign, and a campaign that
 * is sent once is never stopped.
 */
export function moveOf(call: CampaignCall, { status, recurrence, abTest }: MovedCampaign): MoveOutcome {
  const { from, to } = MOVES[call];
  const isOtherKind =
    status === 'resumed' &&
    (call === 'pause' ? recurrence !== null : call === 'stop-recurring' && recurrence === null);
  if (!from.includes(status) || isOtherKind) return { kind: 'refused', allowedFrom: from };
  return { kind: 'moved', status: call === 'send' && abTest !== null ? 'ab_testing' : (to ?? status) };
}

/** Whether messages of the campaign may be in flight. */
export function isUnderWay({ status }: Pick<MovedCampaign, 'status'>): boolean {
  return ['sending', 'ab_testing', 'resumed', 'recurring', 'stopped'].includes(status);
}

/**
 * Returns the status that the campaign has after the call.
 * @throws DomainError invalid_status with `status` and `allowed_from`.
 */
export function assertMove(call: CampaignCall, campaign: MovedCampaign): CampaignStatus {
  const outcome = moveOf(call, campaign);
  if (outcome.kind === 'moved') return outcome.status;
  const { status } = campaign;
  const { allowedFrom } = outcome;
  throw new DomainError(
    'invalid_status',
    `The campaign is ${status}. To ${call} it, its status must be ${allowedFrom.join(' or ')}.`,
    (spell) => ({ status, [spell('allowedFrom')]: allowedFrom }),
  );
}
