import { DomainError } from '../../../kernel/domain-error.js';
import type { InputSource, InputClass } from '../../../platform/input/input-table.js';
import { readInput } from '../../../platform/input/read-input.js';
import {
  readTemplate,
  RestoreTemplateInput,
  TemplateVersionInput,
  templateUpdateOf,
  UpdateTemplateInput,
} from './template.input.js';

const readUpdate = (
  value: unknown,
  slug: string,
  face: InputSource = 'body',
): ReturnType<typeof templateUpdateOf> =>
  templateUpdateOf(readInput(UpdateTemplateInput, value, face), slug, face);
const read = (of: InputClass, value: unknown): object => readInput(of, value, 'body');

const GOOD = { name: 'Welcome', slug: 'welcome', body_html: '<p>x</p>' };

/** Code and fields of the error, such as `invalid_field slug`. */
function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, ...(error.fields.errors ?? []).map(({ field }) => field)].join(' ');
  }
}

const CASES: readonly [name: string, input: unknown, refusal: string][] = [
  ['the least', GOOD, 'none'],
  [
    'everything',
    { ...GOOD, subject: 'Hi', body_ast: { a: [1] }, is_active: false, template_language: 'nlt' },
    'none',
  ],
  ['nulls', { ...GOOD, subject: null, body_ast: null, template_language: null }, 'none'],
  ['no object', [], 'validation_error'],
  ['no name', { ...GOOD, name: undefined }, 'validation_error name'],
  ['no slug', { ...GOOD, slug: undefined }, 'validation_error slug'],
  ['no body_html', { ...GOOD, body_html: undefined }, 'validation_error body_html'],
  [
    'body_ast without body_html',
    { ...GOOD, body_html: undefined, body_ast: {} },
    'validation_error body_html',
  ],
  ...['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status'].map(
    (field): [string, unknown, string] => [
      `the delivery field ${field}`,
      { ...GOOD, [field]: 'x' },
      `invalid_field ${field}`,
    ],
  ),
  ['an unknown field', { ...GOOD, colour: 'red' }, 'invalid_field colour'],
  ['a field named as an inherited one', { ...GOOD, toString: 1 }, 'invalid_field toString'],
  ['fields of the service', { ...GOOD, id: 'x', version: 7 }, 'invalid_field id version'],
  ['an empty name', { ...GOOD, name: '' }, 'invalid_field name'],
  ['a name of 255 characters', { ...GOOD, name: 'x'.repeat(255) }, 'none'],
  ['a name of 256 characters', { ...GOOD, name: 'x'.repeat(256) }, 'invalid_field name'],
  ['a name with NUL', { ...GOOD, name: 'a\0b' }, 'invalid_field name'],
  ['a name that is a number', { ...GOOD, name: 7 }, 'invalid_field name'],
  ['a slug with digits and hyphens', { ...GOOD, slug: 'welcome-2' }, 'none'],
  ['an empty slug', { ...GOOD, slug: '' }, 'invalid_field slug'],
  ['a slug in capitals', { ...GOOD, slug: 'Welcome' }, 'invalid_field slug'],
  ['a slug with an underscore', { ...GOOD, slug: 'wel_come' }, 'invalid_field slug'],
  ['a slug with a line break', { ...GOOD, slug: 'welcome\n' }, 'invalid_field slug'],
  ['a slug that no index holds', { ...GOOD, slug: 'x'.repeat(256) }, 'invalid_field slug'],
  ['an empty body', { ...GOOD, body_html: '' }, 'invalid_field body_html'],
  ['a body of 2 MB', { ...GOOD, body_html: 'é'.repeat(1_048_576) }, 'none'],
  ['a body of a byte more', { ...GOOD, body_html: 'é'.repeat(1_048_576) + 'x' }, 'invalid_field body_html'],
  ['a body with half a character', { ...GOOD, body_html: 'a\ud800' }, 'invalid_field body_html'],
  ['a subject of 255 characters', { ...GOOD, subject: 'x'.repeat(255) }, 'none'],
  ['a subject of 256 characters', { ...GOOD, subject: 'x'.repeat(256) }, 'invalid_field subject'],
  ['a subject of 255 emoji', { ...GOOD, subject: '😀'.repeat(255) }, 'none'],
  ['a subject of 256 emoji', { ...GOOD, subject: '😀'.repeat(256) }, 'invalid_field subject'],
  ['a name of 255 emoji', { ...GOOD, name: '😀'.repeat(255) }, 'none'],
  ['a name of 256 emoji', { ...GOOD, name: '😀'.repeat(256) }, 'invalid_field name'],
  ['a body_ast that is a list', { ...GOOD, body_ast: [] }, 'invalid_field body_ast'],
  ['a body_ast without end', { ...GOOD, body_ast: nested(500) }, 'invalid_field body_ast'],
  ['a body_ast with NUL', { ...GOOD, body_ast: { a: '\0' } }, 'invalid_field body_ast'],
  ['an is_active that is a text', { ...GOOD, is_active: 'yes' }, 'invalid_field is_active'],
  [
    'a language that does not exist',
    { ...GOOD, template_language: 'mjml' },
    'invalid_field template_language',
  ],
  ['several at once', { ...GOOD, subject: 1, bcc: 'x' }, 'invalid_field subject bcc'],
];

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = { value };
  return value;
}

describe('a new template', () => {
  test.each(CASES)('%s', (_name, input, refusal) => {
    expect(refusalOf(() => readTemplate(input))).toBe(refusal);
  });
});

const UPDATES: readonly [name: string, input: unknown, refusal: string][] = [
  ['nothing', {}, 'none'],
  ['no body', undefined, 'validation_error'],
  ['everything', { ...GOOD, subject: null, expected_version: 3, change_summary: 'x' }, 'none'],
  ['the same slug', { slug: 'welcome' }, 'none'],
  ['another slug', { slug: 'other' }, 'invalid_field slug'],
  ['no name', { name: null }, 'invalid_field name'],
  ['an empty name', { name: '' }, 'invalid_field name'],
  ['an empty body', { body_html: '' }, 'invalid_field body_html'],
  ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'invalid_field subject'],
  ['an AST alone', { body_ast: {} }, 'validation_error body_html'],
  ['an AST with its body', { body_ast: {}, body_html: 'x' }, 'none'],
  ['no AST any more', { body_ast: null }, 'none'],
  ['an expected version that is no number', { expected_version: '1' }, 'invalid_field expected_version'],
  ['half a version', { expected_version: 1.5 }, 'invalid_field expected_version'],
  ['no expected version', { expected_version: null }, 'invalid_field expected_version'],
  ['a summary of 500 characters', { change_summary: 'x'.repeat(500) }, 'none'],
  ['a summary of 501 characters', { change_summary: 'x'.repeat(501) }, 'invalid_field change_summary'],
  ['a summary of 500 emoji', { change_summary: '😀'.repeat(500) }, 'none'],
  ['a summary of 501 emoji', { change_summary: '😀'.repeat(501) }, 'invalid_field change_summary'],
  ['a delivery field', { bcc: 'x' }, 'invalid_field bcc'],
  ['fields of the service', { id: 'x', version: 7 }, 'invalid_field id version'],
  ['a document', { document_json: {} }, 'invalid_field document_json'],
];

describe('an update', () => {
  test.each(UPDATES)('%s', (_name, input, refusal) => {
    expect(refusalOf(() => readUpdate(input, 'welcome'))).toBe(refusal);
  });

  test('tells a subject that is left out from none', () => {
    expect(readUpdate({}, 'a').update.subject).toBeUndefined();
    expect(readUpdate({ subject: null }, 'a').update.subject).toBeNull();
    expect(readUpdate({ subject: '' }, 'a').update.subject).toBe('');
  });
});

const NOTES: readonly [name: string, input: unknown, refusal: string][] = [
  ['nothing', {}, 'none'],
  ['no body', undefined, 'none'],
  ['nulls', { change_summary: null, document_json: null }, 'none'],
  ['a summary and a document', { change_summary: 'x', document_json: { a: [1] } }, 'none'],
  ['a list', [], 'validation_error'],
  ['a document that is a list', { document_json: [] }, 'invalid_field document_json'],
  ['a document that is a text', { document_json: 'x' }, 'invalid_field document_json'],
  ['a document without end', { document_json: nested(500) }, 'invalid_field document_json'],
  ['a document with NUL', { document_json: { a: '\0' } }, 'invalid_field document_json'],
  ['a document beyond 2 MB', { document_json: { a: 'x'.repeat(2_097_152) } }, 'invalid_field document_json'],
  ['a summary of 501 characters', { change_summary: 'x'.repeat(501) }, 'invalid_field change_summary'],
  ['an unknown field', { name: 'x' }, 'invalid_field name'],
];

describe('a version made by hand', () => {
  test.each(NOTES)('%s', (_name, input, refusal) => {
    expect(refusalOf(() => read(TemplateVersionInput, input))).toBe(refusal);
  });
});

describe('a restore', () => {
  test.each([
    ['no body', undefined, 'none'],
    ['a note', { expected_version: 2, change_summary: 'x' }, 'none'],
    ['content', { body_html: 'x' }, 'invalid_field body_html'],
    ['a summary of 501 characters', { change_summary: 'x'.repeat(501) }, 'invalid_field change_summary'],
  ])('%s', (_name, input, refusal) => {
    expect(refusalOf(() => read(RestoreTemplateInput, input))).toBe(refusal);
  });
});

describe('in GraphQL', () => {
  test.each([
    ['a wrong field', { bodyHtml: '' }, 'invalid_field bodyHtml'],
    ['an AST alone', { bodyAst: {} }, 'validation_error bodyHtml'],
    ['a summary of 501 characters', { changeSummary: 'x'.repeat(501) }, 'invalid_field changeSummary'],
    ['a name of null', { name: null }, 'invalid_field name'],
    ['a subject of null', { subject: null }, 'none'],
  ])('%s is named as its caller wrote it', (_name, input, refusal) => {
    expect(refusalOf(() => readUpdate(input, 'welcome', 'graphql'))).toBe(refusal);
  });
});
