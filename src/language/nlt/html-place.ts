/**
 * Tracks the static HTML of a template up to each expression, to determine how a value must be escaped there: as text,
 * inside an attribute, inside a link, inside a script. Runs once, when a template is compiled.
 *
 * Edge case: branches of a condition, and a loop that may not run, can leave the HTML in several states. All of them
 * are tracked, and what follows is escaped so that it is safe in each: a link that only one branch opens must not allow
 * a whole `javascript:` address in the other.
 */
import type { Joint } from './address-state.js';
import { HtmlState } from './html-state.js';
import { inBoth, type Place } from './place.js';

/** Beyond this number, states are no longer distinguished. */
const MAX_STATES = 16;

/** The cost of a value per state, relative to a character of static HTML. */
const VALUE = 200;

/** The cost of tracking a document so far, in characters processed per state. */
interface Effort {
  spent: number;
}

/** All states that the HTML may be in between two pieces, depending on the branches that a rendering takes. */
export class HtmlPlace {
  private constructor(
    private states: readonly HtmlState[],
    private isLost: boolean,
    private readonly effort: Effort,
  ) {}

  /** The cost of the whole document so far, including its other branches. */
  get spent(): number {
    return this.effort.spent;
  }

  /** The start of a document. */
  static start(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], false, { spent: 0 });
  }

  /** An unknown position in a document that cannot be tracked. */
  static anywhere(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], true, { spent: 0 });
  }

  /** The state after a choice between this one and the others. */
  orOneOf(others: readonly HtmlPlace[]): HtmlPlace {
    const places = [this, ...others];
    const states = different(places.flatMap((place) => place.states));
    const isLost = places.some((place) => place.isLost) || states.length > MAX_STATES;
    return new HtmlPlace(isLost ? states.slice(0, 1) : states, isLost, this.effort);
  }

  /** An independent copy, for the branches of a condition. */
  copy(): HtmlPlace {
    return new HtmlPlace(
      this.states.map((state) => state.copy()),
      this.isLost,
      this.effort,
    );
  }

  /** The escaping context of a value here; call `passExpression` afterwards. */
  get place(): Place {
    if (this.isLost) return { kind: 'script', quoted: false };
    const places = this.states.map((state) => state.place);
    return { ...places.reduce(inBoth), isComment: places.some(({ kind }) => kind === 'comment') };
  }

  /** Records a value of unknown text at this position; `joint` is the same whenever the same value is recorded. */
  passExpression(joint: Joint): void {
    this.effort.spent += VALUE * this.states.length;
    if (!this.isLost) this.keep(this.states.flatMap((state) => state.afterExpression(joint)));
  }

  /** Whether this set includes every state that `other` may be in. */
  covers(other: HtmlPlace): boolean {
    const keys = new Set(this.states.map((state) => state.key));
    return this.isLost || (!other.isLost && other.states.every((state) => keys.has(state.key)));
  }

  /** Processes a piece of static HTML. */
  passText(html: string): void {
    // Ambiguous states diverge at a `>`, and often converge again at the next.
    for (let start = 0; start < html.length && !this.isLost;) {
      const bracket = html.indexOf('>', start);
      const end = bracket < 0 ? html.length : bracket + 1;
      const piece = html.slice(start, end);
      this.effort.spent += piece.length * this.states.length;
      this.keep(this.states.flatMap((state) => state.passText(piece)));
      start = end;
    }
  }

  private keep(states: readonly HtmlState[]): void {
    const kept = different(states);
    this.isLost ||= kept.length > MAX_STATES;
    this.states = this.isLost ? kept.slice(0, 1) : kept;
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
