/**
 * Follows the static HTML of a template up to each expression, to know how a value must be escaped there: as text,
 * inside an attribute, inside a link, inside a script. Runs once, when a template is compiled.
 *
 * Dark corner: branches of a condition, and a loop that may not run, can leave the HTML in several states. All of them
 * are followed, and what comes behind is escaped so that it is safe in each: a link that only one branch begins must
 * not let a whole `javascript:` address pass in the other.
 */
import type { Joint } from './address-state.js';
import { HtmlState } from './html-state.js';
import { inBoth, type Place } from './place.js';

/** More states than this are no longer told apart. */
const MAX_STATES = 16;

/** Everything that the HTML between two pieces may be in, by the branches that a rendering takes. */
export class HtmlPlace {
  private constructor(
    private states: readonly HtmlState[],
    private readonly isLost: boolean,
  ) {}

  /** The beginning of a document. */
  static start(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], false);
  }

  /** Anywhere in a document that cannot be followed. */
  static anywhere(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], true);
  }

  /** What holds behind a choice between these. */
  static joined(places: readonly HtmlPlace[]): HtmlPlace {
    const states = different(places.flatMap((place) => place.states));
    const isLost = places.some((place) => place.isLost) || states.length > MAX_STATES;
    return new HtmlPlace(isLost ? states.slice(0, 1) : states, isLost);
  }

  /** A copy that goes its own way, for the branches of a condition. */
  copy(): HtmlPlace {
    return new HtmlPlace(
      this.states.map((state) => state.copy()),
      this.isLost,
    );
  }

  /** How a value is written here; call `passExpression` afterwards. */
  get place(): Place {
    if (this.isLost) return { kind: 'script', quoted: false };
    return this.states.map((state) => state.place).reduce(inBoth);
  }

  /** Notes that a value of unknown text stands here; `joint` is the same whenever the same value is noted. */
  passExpression(joint: Joint): void {
    this.states = different(this.states.flatMap((state) => state.afterExpression(joint)));
  }

  /** Whether every state that `other` may be in is one of these. */
  covers(other: HtmlPlace): boolean {
    const keys = new Set(this.states.map((state) => state.key));
    return this.isLost || (!other.isLost && other.states.every((state) => keys.has(state.key)));
  }

  /** Goes through a piece of static HTML. */
  passText(html: string): void {
    if (this.isLost) return;
    for (const state of this.states) state.passText(html);
    this.states = different(this.states);
  }
}

function different(states: readonly HtmlState[]): readonly HtmlState[] {
  if (states.length === 1) return states;
  const found = new Map<string, HtmlState>();
  for (const state of states) {
    const same = found.get(state.key);
    if (same === undefined) found.set(state.key, state);
    else same.adopt(state);
  }
  return [...found.values()];
}
