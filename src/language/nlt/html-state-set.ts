/**
 * Tracks the static HTML of a template up to each expression, to determine how a value must be escaped there: as text,
 * inside an attribute, inside a link, inside a script. Runs once, when a template is compiled.
 *
 * Edge case: branches of a condition, and a loop that may not run, can leave the HTML in several states. All of them
 * are tracked, and what follows is escaped so that it is safe in each: a link that only one branch opens must not allow
 * a whole `javascript:` address in the other.
 */
import type { Lookahead } from './address-state.js';
import { HtmlState } from './html-state.js';
import { safeInBoth, type EscapeContext } from './escape-context.js';

/** Beyond this number, states are no longer distinguished. */
const MAX_STATES = 16;

/** The cost of a value per state, relative to a character of static HTML. */
const VALUE_COST = 200;

/** The cost of tracking a document so far, in characters processed per state. */
interface TrackingCost {
  spent: number;
}

/** All states that the HTML may be in between two pieces, depending on the branches that a rendering takes. */
export class HtmlStateSet {
  private constructor(
    private states: readonly HtmlState[],
    private isUntracked: boolean,
    private readonly cost: TrackingCost,
  ) {}

  /** The cost of the whole document so far, including its other branches. */
  get spent(): number {
    return this.cost.spent;
  }

  /** The start of a document. */
  static start(): HtmlStateSet {
    return new HtmlStateSet([new HtmlState()], false, { spent: 0 });
  }

  /** An unknown position in a document that cannot be tracked. */
  static untracked(): HtmlStateSet {
    return new HtmlStateSet([new HtmlState()], true, { spent: 0 });
  }

  /** The state after a choice between this one and the others. */
  unionWith(others: readonly HtmlStateSet[]): HtmlStateSet {
    const members = [this, ...others];
    const states = distinctStates(members.flatMap((member) => member.states));
    const isUntracked = members.some((member) => member.isUntracked) || states.length > MAX_STATES;
    return new HtmlStateSet(isUntracked ? states.slice(0, 1) : states, isUntracked, this.cost);
  }

  /** An independent copy, for the branches of a condition. */
  copy(): HtmlStateSet {
    return new HtmlStateSet(
      this.states.map((state) => state.copy()),
      this.isUntracked,
      this.cost,
    );
  }

  /** The escaping context of a value here; call `passExpression` afterwards. */
  get context(): EscapeContext {
    if (this.isUntracked) return { kind: 'script', quoted: false };
    const contexts = this.states.map((state) => state.context);
    return { ...contexts.reduce(safeInBoth), isComment: contexts.some(({ kind }) => kind === 'comment') };
  }

  /** Records a value of unknown text at this position; `lookahead` is the same whenever the same value is recorded. */
  passExpression(lookahead: Lookahead): void {
    this.cost.spent += VALUE_COST * this.states.length;
    if (!this.isUntracked) this.setStates(this.states.flatMap((state) => state.afterExpression(lookahead)));
  }

  /** Whether this set includes every state that `other` may be in. */
  covers(other: HtmlStateSet): boolean {
    const keys = new Set(this.states.map((state) => state.key));
    return this.isUntracked || (!other.isUntracked && other.states.every((state) => keys.has(state.key)));
  }

  /** Processes a piece of static HTML. */
  passText(html: string): void {
    // Ambiguous states diverge at a `>`, and often converge again at the next.
    for (let start = 0; start < html.length && !this.isUntracked;) {
      const bracket = html.indexOf('>', start);
      const end = bracket < 0 ? html.length : bracket + 1;
      const piece = html.slice(start, end);
      this.cost.spent += piece.length * this.states.length;
      this.setStates(this.states.flatMap((state) => state.passText(piece)));
      start = end;
    }
  }

  private setStates(states: readonly HtmlState[]): void {
    const distinct = distinctStates(states);
    this.isUntracked ||= distinct.length > MAX_STATES;
    this.states = this.isUntracked ? distinct.slice(0, 1) : distinct;
  }
}

function distinctStates(states: readonly HtmlState[]): readonly HtmlState[] {
  if (states.length === 1) return states;
  const found = new Map<string, HtmlState>();
  for (const state of states) {
    const same = found.get(state.key);
    if (same === undefined) found.set(state.key, state);
    else same.merge(state);
  }
  return [...found.values()];
}
