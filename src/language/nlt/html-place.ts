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

/** What a value costs in each state, beside a character of static HTML. */
const VALUE = 200;

/** What following a document has cost, in characters that one state was taken through. */
interface Effort {
  spent: number;
}

/** Everything that the HTML between two pieces may be in, by the branches that a rendering takes. */
export class HtmlPlace {
  private constructor(
    private states: readonly HtmlState[],
    private isLost: boolean,
    private readonly effort: Effort,
  ) {}

  /** What has been spent on the whole document so far, its other branches included. */
  get spent(): number {
    return this.effort.spent;
  }

  /** The beginning of a document. */
  static start(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], false, { spent: 0 });
  }

  /** Anywhere in a document that cannot be followed. */
  static anywhere(): HtmlPlace {
    return new HtmlPlace([new HtmlState()], true, { spent: 0 });
  }

  /** What holds behind a choice between this and these. */
  orOneOf(others: readonly HtmlPlace[]): HtmlPlace {
    const places = [this, ...others];
    const states = different(places.flatMap((place) => place.states));
    const isLost = places.some((place) => place.isLost) || states.length > MAX_STATES;
    return new HtmlPlace(isLost ? states.slice(0, 1) : states, isLost, this.effort);
  }

  /** A copy that goes its own way, for the branches of a condition. */
  copy(): HtmlPlace {
    return new HtmlPlace(
      this.states.map((state) => state.copy()),
      this.isLost,
      this.effort,
    );
  }

  /** How a value is written here; call `passExpression` afterwards. */
  get place(): Place {
    if (this.isLost) return { kind: 'script', quoted: false };
    const places = this.states.map((state) => state.place);
    return { ...places.reduce(inBoth), isComment: places.some(({ kind }) => kind === 'comment') };
  }

  /** Notes that a value of unknown text stands here; `joint` is the same whenever the same value is noted. */
  passExpression(joint: Joint): void {
    this.effort.spent += VALUE * this.states.length;
    if (!this.isLost) this.keep(this.states.flatMap((state) => state.afterExpression(joint)));
  }

  /** Whether every state that `other` may be in is one of these. */
  covers(other: HtmlPlace): boolean {
    const keys = new Set(this.states.map((state) => state.key));
    return this.isLost || (!other.isLost && other.states.every((state) => keys.has(state.key)));
  }

  /** Goes through a piece of static HTML. */
  passText(html: string): void {
    // What is read in two ways parts at a `>`, and often meets again at the next.
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
