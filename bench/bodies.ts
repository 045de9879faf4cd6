/**
 * Request bodies that post events of a few thousand people. They are built before a measurement begins, so that
 * building them does not affect it. Callers pass a recipe because it is much shorter than the bodies.
 */
import { mailEvent } from './email.js';

export type BodyRecipe =
  | { readonly kind: 'events'; readonly people: number }
  | { readonly kind: 'batches'; readonly people: number; readonly size: number }
  /** Each request has a unique idempotency key and carries the contact's data. */
  | { readonly kind: 'keyed events'; readonly people: number }
  | { readonly kind: 'keyed batches'; readonly people: number; readonly size: number }
  | { readonly kind: 'mail events'; readonly people: number; readonly prefix: string };

export const EVENT_NAME = 'order_placed';

/** Bodies to post in turn, each with an event of another person. */
export function makeBodies(recipe: BodyRecipe): string[] {
  switch (recipe.kind) {
    case 'events':
      return Array.from({ length: recipe.people }, (_, index) => JSON.stringify(smallEvent(index)));
    case 'batches':
      return Array.from({ length: Math.ceil(recipe.people / recipe.size) }, (_, batch) => {
        const events = Array.from({ length: recipe.size }, (_, index) =>
          smallEvent(batch * recipe.size + index),
        );
        return JSON.stringify({ events });
      });
    case 'keyed events':
      return Array.from({ length: recipe.people }, (_, index) => JSON.stringify(keyedEvent(index)));
    case 'keyed batches':
      return Array.from({ length: Math.ceil(recipe.people / recipe.size) }, (_, batch) => {
        const events = Array.from({ length: recipe.size }, (_, index) =>
          keyedEvent(batch * recipe.size + index),
        );
        return JSON.stringify({ events });
      });
    case 'mail events':
      return Array.from({ length: recipe.people }, (_, index) =>
        JSON.stringify(mailEvent(recipe.prefix, index)),
      );
  }
}

function smallEvent(index: number): object {
  return {
    external_id: `person-${index}`,
    event_name: EVENT_NAME,
    attributes: { plan: index % 3 === 0 ? 'pro' : 'free', amount: 42.5, order_id: `A-${100_000 + index}` },
  };
}

/** Placeholder in a body. The load generator replaces it with a counter, so that every key is unique. */
export const KEY_MARK = '0'.repeat(12);

function keyedEvent(index: number): object {
  return {
    ...smallEvent(index),
    idempotency_key: `bench-${KEY_MARK}`,
    contact: {
      email: `person-${index}@example.test`,
      first_name: 'Ada',
      properties: { plan: index % 3 === 0 ? 'pro' : 'free' },
    },
  };
}
