/**
 * Every example of docs/templates.md has the documented result. A ```nlt or ```jinja2 block is rendered with the
 * page's ```json block; the next block is the result: ```text or ```html for the sent content (```nlt subject: as
 * a subject), ```suppressed for the suppression reason, ```error for the message to the author.
 */
import { readFileSync } from 'node:fs';
import { compileTemplate, parseSource, type RenderTarget } from '../../src/language/language.js';
import {
  contextOf,
  missingRequired,
  type PreviewSample,
} from '../../src/modules/templates/domain/preview.js';

const NOW = new Date('2026-05-02T09:30:00Z');
const page = readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8');

interface Block {
  readonly language: string;
  readonly target: string;
  readonly content: string;
}

interface Sample {
  readonly contact: PreviewSample['contact'];
  readonly trigger_event: {
    readonly event_name: string;
    readonly attributes: NonNullable<PreviewSample['triggerEvent']>['attributes'];
  };
  readonly additional_events: PreviewSample['additionalEvents'];
}

const blocks = [...page.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', target = '', content = '']): Block => ({ language, target, content: content.trimEnd() }),
);
const examples = blocks.flatMap((block, index) => {
  return ['nlt', 'jinja2'].includes(block.language) ? [{ block, result: blocks[index + 1] }] : [];
});
const samples = blocks.filter(({ language }) => language === 'json');

function contextOfPage() {
  const sample = JSON.parse(samples[0]?.content ?? '') as Sample;
  const { event_name: eventName, attributes } = sample.trigger_event;
  const { contact, additional_events: additionalEvents } = sample;
  return contextOf({ contact, triggerEvent: { eventName, attributes }, additionalEvents }, NOW);
}

/** The expected content of an example's result block in `language`. */
function outcome({ content, target }: Block, language: string): string {
  const { tree, warnings } = parseSource(content, null);
  expect(warnings).toEqual([]);
  if (tree.errors.length > 0) return tree.errors.map(({ message }) => message).join('\n');
  const renderTarget: RenderTarget = target === 'subject' ? 'subject' : language === 'html' ? 'html' : 'text';
  const result = compileTemplate(tree, renderTarget).render(contextOfPage());
  if (result.kind === 'suppressed') return missingRequired(result.field);
  return result.kind === 'rendered' ? result.text.trimEnd() : result.error.message;
}

/** The kinds of block that can show the result of an example. */
function resultLanguages({ content }: Block): readonly string[] {
  const { tree } = parseSource(content, null);
  if (tree.errors.length > 0) return ['error'];
  const { kind } = compileTemplate(tree, 'text').render(contextOfPage());
  return kind === 'rendered' ? ['text', 'html'] : [kind];
}

test('the page has examples, and one set of data for all of them', () => {
  expect(examples.length).toBeGreaterThanOrEqual(20);
  expect(samples).toHaveLength(1);
});

test.each(examples.map((example) => [example.block.content.split('\n')[0] ?? '', example] as const))(
  '%s',
  (_name, { block, result }) => {
    if (result === undefined) throw new Error('The page ends without the result of this example.');
    expect(resultLanguages(block)).toContain(result.language);
    expect(outcome(block, result.language)).toBe(result.content);
  },
);
