/**
 * The process that measures templates. Nothing else runs in it, and it loads the language module of the built
 * service.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Language from '../src/language/language.js';
import { costlyContext, COSTLY_RENDERINGS, filled, HOSTILE_PIECES } from './hostile-templates.js';
import { handlebarsContext, handlebarsEmail, nltContext, nltEmail } from './marketing-email.js';
import { median } from './measure.js';
import { answerQuestions } from './program.js';
import { handlebarsRenderer } from './references/handlebars.js';

export interface TemplateQuestion {
  readonly rounds: number;
  /** Seconds of rendering for each side in each round. */
  readonly seconds: number;
}

/** Nanoseconds of processor time per byte, one value per round; `seconds` are for the large source. */
interface Growth {
  readonly small: readonly number[];
  readonly large: readonly number[];
  readonly seconds: readonly number[];
}

export interface TemplateReport {
  /** Renderings per second. */
  readonly renders: { readonly handlebars: readonly number[]; readonly ours: readonly number[] };
  readonly hostile: readonly (Growth & { readonly name: string })[];
  readonly save: Growth;
  readonly costliest: {
    readonly name: string;
    readonly seconds: readonly number[];
    /** Seconds of a rendering of the ordinary email. */
    readonly honest: number;
  };
}

const SMALL = 200_000;
const LARGE = 2_000_000;
const HONEST_SMALL = 30_000;
const HONEST_LARGE = 1_200_000;
/** Its length divides both body sizes evenly. */
const HONEST_PIECE = '<p>Hi {the First Name, or "you"}, it is good to see you!</p>';
const CONTEXTS = 256;
/** Parses of the large source per round; many take only milliseconds. */
const PARSES_PER_ROUND = 3;
const NOW = new Date();

/** Uses the language module of the build, which the bench has created. */
const {
  compileTemplate,
  deriveText,
  findProblems,
  parseSource: readSource,
} = (await import(pathToFileURL(join(process.cwd(), 'dist/language/language.js')).href)) as typeof Language;

answerQuestions<TemplateQuestion>(async ({ rounds, seconds }) => {
  const renders = measureRenders(rounds, seconds);
  return {
    renders,
    hostile: Object.entries(HOSTILE_PIECES).map(([name, piece]) => ({
      name,
      ...growth(rounds, (source) => readSource(source, null), filled(piece, SMALL), filled(piece, LARGE)),
    })),
    save: growth(rounds, save, filled(HONEST_PIECE, HONEST_SMALL), filled(HONEST_PIECE, HONEST_LARGE)),
    costliest: { ...measureCostliest(rounds), honest: 1 / median(renders.ours) },
  } satisfies TemplateReport;
});

/** The work on a body before it is stored. */
function save(bodyHtml: string): void {
  findProblems({ subject: null, bodyHtml, templateLanguage: null });
  deriveText(bodyHtml);
}

function measureRenders(rounds: number, seconds: number): TemplateReport['renders'] {
  const handlebars = handlebarsRenderer(handlebarsEmail());
  const compiled = compileTemplate(readSource(nltEmail(), 'nlt').tree, 'html');
  const theirs = Array.from({ length: CONTEXTS }, (_, index) => handlebarsContext(index));
  const ours = theirs.map((context) => nltContext(context, NOW));
  const render = (index: number): string => {
    const result = compiled.render(ours[index % CONTEXTS] ?? { contact: {}, now: NOW });
    if (result.kind !== 'rendered') throw new Error(`The email was not rendered: ${JSON.stringify(result)}`);
    return result.text;
  };
  const renderTheirs = (index: number): string =>
    handlebars(theirs[index % CONTEXTS] ?? handlebarsContext(0));
  for (let index = 0; index < CONTEXTS; index++)
    // Two encodings of an apostrophe are equivalent.
    if (render(index) !== renderTheirs(index).replaceAll('&#x27;', '&#39;'))
      throw new Error(`Handlebars and NLT render email ${index} differently.`);
  const figures = { handlebars: [] as number[], ours: [] as number[] };
  perSecond(renderTheirs, seconds / 4);
  perSecond(render, seconds / 4);
  for (let round = 0; round < rounds; round++) {
    figures.handlebars.push(perSecond(renderTheirs, seconds));
    figures.ours.push(perSecond(render, seconds));
  }
  return figures;
}

/** Counts the bytes, because the engine need not assemble a text that is never read. */
function perSecond(render: (index: number) => string, seconds: number): number {
  const begun = performance.now();
  let count = 0;
  let bytes = 0;
  while (performance.now() - begun < seconds * 1_000)
    for (let turn = 0; turn < 64; turn++) bytes += Buffer.byteLength(render(count++));
  if (bytes < count * HONEST_SMALL) throw new Error('The emails are smaller than they should be.');
  return count / ((performance.now() - begun) / 1_000);
}

function growth(rounds: number, work: (source: string) => void, small: string, large: string): Growth {
  const smaller = Math.round(large.length / small.length);
  const times = (count: number, source: string) => (): void => {
    for (let turn = 0; turn < count; turn++) work(source);
  };
  const figures = { small: [] as number[], large: [] as number[], seconds: [] as number[] };
  cpuSeconds(times(PARSES_PER_ROUND, large));
  // Both sides parse the same amount, so that both are equally warm.
  for (let round = 0; round < rounds; round++) {
    const few = cpuSeconds(times(PARSES_PER_ROUND * smaller, small)) / PARSES_PER_ROUND;
    const much = cpuSeconds(times(PARSES_PER_ROUND, large)) / PARSES_PER_ROUND;
    figures.small.push((few / smaller / small.length) * 1e9);
    figures.large.push((much / large.length) * 1e9);
    figures.seconds.push(much);
  }
  return figures;
}

/** The case with the longest median. */
function measureCostliest(rounds: number): { name: string; seconds: number[] } {
  const cases = Object.entries(COSTLY_RENDERINGS).map(([name, [source, properties]]) => {
    const compiled = compileTemplate(readSource(source, 'nlt').tree, 'html');
    const context = costlyContext(properties, NOW);
    const seconds = Array.from({ length: rounds }, () => cpuSeconds(() => compiled.render(context)));
    return { name, seconds };
  });
  return cases.reduce((dearest, one) => (median(one.seconds) > median(dearest.seconds) ? one : dearest));
}

function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
