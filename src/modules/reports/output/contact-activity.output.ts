/** A contact's timeline in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { type Activity, ACTIVITY_KINDS, type ActivityKind } from '../domain/activity.js';

const ActivityKindEnum = graphqlEnum('ContactActivityKind', ACTIVITY_KINDS, 'The kind of a timeline entry.');

@Output({ graphql: 'ContactActivityEvent' })
class ActivityEventOutput {
  @Out('String') eventName: string;
  @Out('JSON') attributes: unknown;
}

@Output({ graphql: 'ContactActivityEmail' })
class ActivityEmailOutput {
  @Out('String', { nullable: true }) subject: string | null;
  @Out('String', { description: 'The current status.' }) status: string;
  @Out('String') templateSlug: string;
  @Out('String', { nullable: true }) suppressedReason: string | null;
  @Out('String', { nullable: true }) errorCode: string | null;
  @Out('DateTime', { nullable: true }) sentAt: Date | null;
}

@Output({ graphql: 'ContactActivityTrip' })
class ActivityTripOutput {
  @Out('ID') flowId: string;
  @Out('String', { nullable: true }) flowName: string | null;
  @Out('String', { description: 'The current status of the trip.' }) status: string;
  @Out('String', { nullable: true }) endedReason: string | null;
}

/** Has no field `id`: a trip appears twice, and clients that cache records by id would merge both entries. */
@Output({
  graphql: 'ContactActivity',
  description: 'A timeline entry. One of event, email and trip is set, as indicated by kind.',
})
export class ContactActivityOutput {
  @Out(oneOf(ACTIVITY_KINDS, ActivityKindEnum)) kind: ActivityKind;
  @Out('DateTime', {
    description: 'When the event occurred, the message was created, or the trip started or ended.',
  })
  at: Date;
  @Out('ID', { description: 'ID of the event, email log or trip.' }) recordId: string;
  @Out(ActivityEventOutput, { nullable: true }) event: ActivityEventOutput | null;
  @Out(ActivityEmailOutput, { nullable: true }) email: ActivityEmailOutput | null;
  @Out(ActivityTripOutput, { nullable: true }) trip: ActivityTripOutput | null;
}

@Output()
class ShownKindsOutput {
  @Out([oneOf(ACTIVITY_KINDS, ActivityKindEnum)], {
    description: 'The kinds that the caller’s role can see. Other entries are omitted.',
  })
  shownKinds: readonly ActivityKind[];
}

export const ContactActivityConnection = connection('ContactActivity', ContactActivityOutput, {
  fields: ShownKindsOutput,
});

export function contactActivityOutput(activity: Activity): ContactActivityOutput {
  const { kind, at, recordId } = activity;
  return {
    kind,
    at,
    recordId,
    event: activity.kind === 'event' ? activity : null,
    email: activity.kind === 'email' ? activity : null,
    trip: activity.kind === 'trip_started' || activity.kind === 'trip_ended' ? activity : null,
  };
}
