/**
 * Follows the static HTML of a template up to each expression, to know how a value must be escaped there: as text,
 * inside an attribute, inside a link, inside a script. Runs once, when a template is compiled.
 *
 * Dark corner: branches of a condition, and a loop that may not run, can leave the HTML in several states. All of them
 * are followed, and what comes behind is escaped so that it is safe in each: a link that only one branch begins must
 * not let a whole `javascript:` address pass in the other.
 */
import { HtmlState, type Place } from './html-state.js';

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
    if (this.isLost) return { kind: 'unsure' };
    return this.states.map((state) => state.place).reduce(inBoth);
  }

  /** Notes that a value of unknown text stands here. */
  passExpression(): void {
    this.states = different(this.states.flatMap((state) => state.afterExpression()));
  }

  /** Goes through a piece of static HTML. */
  passText(html: string): void {
    for (const state of this.states) state.passText(html);
    this.states = different(this.states);
  }
}

function different(states: readonly HtmlState[]): readonly HtmlState[] {
  if (states.length === 1) return states;
  return [...new Map(states.map((state) => [state.key, state])).values()];
}

/** The place whose escaping is safe in both. */
function inBoth(a: Place, b: Place): Place {
  if (a.kind === 'text' && b.kind === 'text') return { kind: 'text', afterLess: a.afterLess || b.afterLess };
  if (a.kind === 'attribute' && b.kind === 'attribute') {
    return { kind: 'attribute', quoted: a.quoted && b.quoted };
  }
  if (a.kind === 'link' && b.kind === 'link') {
    const part = (['query', 'start', 'slash'] as const).find((one) => a.part === one || b.part === one);
    const anchored = a.anchored && b.anchored;
    return { kind: 'link', quoted: a.quoted && b.quoted, part: part ?? 'path', anchored };
  }
  return a.kind === 'script' && b.kind === 'script' ? a : { kind: 'unsure' };
}
