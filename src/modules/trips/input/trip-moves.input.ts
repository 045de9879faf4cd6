/** Which trips to move manually: those with these ids, or those of a flow at a step with a status. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { eitherOf } from '../../../platform/input/either-of.js';
import { OneOf, Texts, Uuid, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { TRIP_STATUSES, type TripStatus } from '../domain/trip-transitions.js';
import { TripStatusEnum } from './trip-list.input.js';

const MAX_STEP_ID = 2_147_483_647;

@Input({ graphql: 'MoveTripsInput' })
export class MoveTripsInput {
  @Texts({ optional: true, min: 1, max: 100, description: '1 to 100 trips. Give either this or flowId.' })
  ids?: readonly string[];
  @Uuid({ optional: true, description: 'Trips of this flow, at most 10,000 per call.' })
  flowId?: string;
  @Integer({
    optional: true,
    min: 0,
    max: MAX_STEP_ID,
    description: 'Only with flowId: trips whose last step was this one.',
  })
  stepId?: number;
  @OneOf(TRIP_STATUSES, { optional: true, enumType: TripStatusEnum, description: 'Only with flowId.' })
  status?: TripStatus;
}

export type TripSelector =
  | { readonly ids: readonly string[] }
  | { readonly flowId: string; readonly stepId: number | null; readonly status: TripStatus | null };

/** @throws DomainError invalid_field unless ids or a flow are given. Step and status require a flow. */
export function tripSelectorOf(input: MoveTripsInput): TripSelector {
  const { stepId = null, status = null } = input;
  const given = eitherOf(input, 'ids', 'flowId');
  if ('flowId' in given) return { flowId: given.flowId, stepId, status };
  const misplaced = Object.entries({ stepId, status }).filter(([, value]) => value !== null);
  if (misplaced.length > 0)
    throw invalidFields(
      misplaced.map(([field]) => ({ field, message: 'is only valid with flowId, not with ids' })),
    );
  const invalidIndex = given.ids.findIndex((id) => !isUuid(id));
  if (invalidIndex !== -1)
    throw invalidFields([{ field: `ids[${invalidIndex}]`, message: 'must be a UUID' }]);
  return { ids: given.ids.map((id) => id.toLowerCase()) };
}

@Arguments()
export class TripMovesArgs extends PageArgs {
  @Uuid({ optional: true, description: 'Actions on the trips of this flow. Give either this or tripId.' })
  flowId?: string;
  @Uuid({ optional: true, description: 'Actions on this trip.' }) tripId?: string;
}

/** @throws DomainError invalid_field unless exactly one of the two is given. */
export function moveSubjectOf(
  args: TripMovesArgs,
): { readonly flowId: string } | { readonly tripId: string } {
  return eitherOf(args, 'flowId', 'tripId');
}
