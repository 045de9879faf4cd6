/**
 * Cuts a batch of events so that goals and triggers may each be asked of a whole part: within a part conversions come
 * first and starts follow, and every contact's events keep the order in which they came. Contacts do not depend on each
 * other, so a batch has as many parts as one contact goes from a trigger to a goal, and one more.
 */

interface NamedEvent {
  readonly name: string;
  readonly contactId: string;
}

/**
 * @param triggers names of events that may start trips.
 * @param goals names of events that may convert trips.
 */
export function layersOf<Event extends NamedEvent>(
  events: readonly Event[],
  triggers: ReadonlySet<string>,
  goals: ReadonlySet<string>,
): Event[][] {
  const layers: Event[][] = [];
  const places = new Map<string, { layer: number; hasTrigger: boolean }>();
  for (const event of events) {
    const place = places.get(event.contactId) ?? { layer: 0, hasTrigger: false };
    places.set(event.contactId, place);
    if (place.hasTrigger && goals.has(event.name)) {
      place.layer++;
      place.hasTrigger = false;
    }
    if (triggers.has(event.name)) place.hasTrigger = true;
    (layers[place.layer] ??= []).push(event);
  }
  return layers;
}
