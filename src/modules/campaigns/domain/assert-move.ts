/** 400 invalid_status: the campaign's status does not allow the call, section 3.3. */
import { DomainError } from '../../../kernel/domain-error.js';
import { moveOf, type CampaignCall, type CampaignStatus, type MovedCampaign } from './campaign-status.js';

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
