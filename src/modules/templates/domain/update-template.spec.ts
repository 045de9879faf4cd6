import fc from 'fast-check';
import { deriveContent, newTemplate } from './new-template.js';
import { assertVersion, changedContent, restoreTemplate, updateTemplate } from './update-template.js';
import type { Template, TemplateUpdate } from './template.js';

const THEN = new Date('2026-03-02T09:00:00Z');
const NOW = new Date('2026-03-03T09:00:00Z');

const TEMPLATE: Template = newTemplate(
  {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Hello',
    bodyHtml: '<p>Old</p>',
    bodyAst: { blocks: [1] },
    templateLanguage: 'nlt',
  },
  '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea',
  THEN,
);

/** As a change is stored: with the data derived from its content. */
function stored(before: Template, after: Template): Template {
  const content = changedContent(before, after);
  return content ? { ...after, ...deriveContent(content) } : after;
}
const updated = (template: Template, update: TemplateUpdate): Template =>
  stored(template, updateTemplate(template, update, NOW));
const restored = (template: Template, version: Template): Template =>
  stored(template, restoreTemplate(template, version, NOW));

const CASES: readonly [name: string, update: TemplateUpdate, changed: Partial<Template>][] = [
  ['nothing', {}, {}],
  ['a name', { name: 'Other' }, { name: 'Other' }],
  ['a subject', { subject: 'Bye' }, { subject: 'Bye' }],
  ['no subject any more', { subject: null }, { subject: null }],
  ['a subject that is left out', { subject: undefined }, {}],
  ['a body', { bodyHtml: '<p>New</p>' }, { bodyHtml: '<p>New</p>', bodyText: 'New' }],
  ['an AST with its body', { bodyHtml: '<p>Old</p>', bodyAst: {} }, { bodyAst: {} }],
  ['no AST any more', { bodyAst: null }, { bodyAst: null }],
  ['no pin any more', { templateLanguage: null }, { templateLanguage: null }],
  ['not active', { isActive: false }, { isActive: false }],
  [
    'a body with an error',
    { bodyHtml: '{end if}' },
    { bodyHtml: '{end if}', bodyText: '{end if}', validationStatus: 'has_errors' },
  ],
];

test.each(CASES)('update of %s', (_name, update, changed) => {
  const { validationErrors, ...changedTemplate } = updated(TEMPLATE, update);
  const { validationErrors: _none, ...before } = TEMPLATE;
  expect(changedTemplate).toEqual({ ...before, ...changed, version: 2, updatedAt: NOW });
  expect(validationErrors.length > 0).toBe(changedTemplate.validationStatus !== 'valid');
});

test('an update that mends the body takes the findings away', () => {
  const broken = updated(TEMPLATE, { bodyHtml: '{end if}' });
  expect(updated(broken, { bodyHtml: '<p>x</p>' })).toMatchObject({
    version: 3,
    validationStatus: 'valid',
    validationErrors: [],
  });
});

test('the text of a template in Jinja2 is NLT, and follows the pin', () => {
  const jinja = updated(TEMPLATE, { bodyHtml: '<p>{{ user.first_name }}</p>', templateLanguage: null });
  expect(jinja.bodyText).toMatch(/^\{the .*\}$/);
  expect(updated(jinja, { templateLanguage: 'nlt' }).bodyText).toBe('{{ user.first_name }}');
});

test('a restore brings back content and language, and leaves name, subject and activity', () => {
  const changed = updated(TEMPLATE, {
    name: 'Other',
    subject: 'Bye',
    bodyHtml: '<p>New</p>',
    bodyAst: null,
    templateLanguage: null,
    isActive: false,
  });
  expect(restored(changed, TEMPLATE)).toEqual({
    ...TEMPLATE,
    name: 'Other',
    subject: 'Bye',
    isActive: false,
    version: 3,
    updatedAt: NOW,
  });
});

test('what an update leaves out is as before, whatever it changes', () => {
  const update = fc.record(
    {
      name: fc.string({ minLength: 1 }),
      subject: fc.option(fc.string()),
      bodyHtml: fc.string({ minLength: 1 }),
      isActive: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(update, (fields) => {
      const after = updated(TEMPLATE, fields);
      for (const field of [
        'name',
        'subject',
        'bodyHtml',
        'isActive',
        'bodyAst',
        'slug',
        'id',
        'createdAt',
      ] as const)
        expect(after[field]).toEqual(
          field in fields ? fields[field as keyof typeof fields] : TEMPLATE[field],
        );
      expect(after.version).toBe(2);
    }),
  );
});

test('an expected version must be the current one', () => {
  expect(() => assertVersion(TEMPLATE, undefined)).not.toThrow();
  expect(() => assertVersion(TEMPLATE, 1)).not.toThrow();
  expect(() => assertVersion(TEMPLATE, 2)).toThrow(
    expect.objectContaining({ code: 'conflict', fields: { current_version: 1 } }),
  );
});

test.each<[what: string, update: TemplateUpdate, isDerived: boolean]>([
  ['a name', { name: 'Other' }, false],
  ['an AST', { bodyAst: {} }, false],
  ['the same body', { bodyHtml: '<p>Old</p>' }, false],
  ['a subject', { subject: 'Bye' }, true],
  ['a language', { templateLanguage: null }, true],
])(
  'the data of the content are derived again only after a change of the content: %s',
  (_, update, isDerived) => {
    const after = updateTemplate(TEMPLATE, update, NOW);
    const { subject, bodyHtml, templateLanguage } = after;
    expect(changedContent(TEMPLATE, after)).toEqual(
      isDerived ? { subject, bodyHtml, templateLanguage } : undefined,
    );
  },
);
