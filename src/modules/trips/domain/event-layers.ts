/**
 * Splits a batch of events into layers, so that goals and triggers can each be processed for a whole layer: within a
 * layer, conversions come first and starts follow, and each contact's events keep their order. An event
 * begins a new layer for its contact if it may convert a trip and the contact has an earlier trigger in the current
 * layer. The contact with the most such changes determines the number of layers.
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
