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
  const progressByContact = new Map<string, { layer: number; hasTrigger: boolean }>();
  for (const event of events) {
    const progress = progressByContact.get(event.contactId) ?? { layer: 0, hasTrigger: false };
    progressByContact.set(event.contactId, progress);
    if (progress.hasTrigger && goals.has(event.name)) {
      progress.layer++;
      progress.hasTrigger = false;
    }
    if (triggers.has(event.name)) progress.hasTrigger = true;
    (layers[progress.layer] ??= []).push(event);
  }
  return layers;
}
