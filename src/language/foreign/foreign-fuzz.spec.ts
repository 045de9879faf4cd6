import fc from 'fast-check';
import { compileTemplate } from '../nlt/compiler.js';
import { parseSource } from '../reading/source-parser.js';
import { convertForeign } from './convert-foreign.js';
import { FOREIGN_SOURCES } from './foreign-source.js';
import { runs } from '../../../test/support/test-scope.js';

const FRAGMENTS = [
  '{',
  '}',
  '{{',
  '}}',
  '{%',
  '%}',
  '{{ x }}',
  '{{ customer.a | default: "b" }}',
  "{{ person|lookup:'x' }}",
  '{{${a}}}',
  '{% if a == "b" and c or d %}',
  '{% if {{${a}}} %}',
  '{% elsif b %}',
  '{% elif not b %}',
  '{% else %}',
  '{% endif %}',
  '{% unless a contains "b" %}',
  '{% endunless %}',
  '{% case a %}',
  '{% when 1, "2" %}',
  '{% endcase %}',
  '{% for user in event.items %}',
  '{% for a in b.c %}',
  '{% endfor %}',
  '{% assign a = b | upcase %}',
  '{% raw %}',
  '{% endraw %}',
  '{% comment %}',
  '{% endcomment %}',
  '{%- endif -%}',
  '{# a #}',
  '*|',
  '|*',
  '*|FNAME|*',
  '*|IF:A>=1|*',
  '*|IFNOT:ARCHIVE_PAGE|*',
  '*|IF:REWARDS|*',
  '*|ELSEIF:B=c|*',
  '*|ELSE:|*',
  '*|END:IF|*',
  '*|UNSUB|*',
  '*|MC:SUBJECT|*',
  '*|MERGE1|*',
  '{{ event.items.first.name }}',
  '{{ a[-1] }}',
  '<a href="',
  '">',
  '</a>',
  ' mc:edit="a"',
  'the ',
  'if ',
  'end if',
  'else',
  'now',
  ' ',
  '"',
  "'s ",
  '&quot;',
  '<b>',
  '[unsubscribe_url]',
  '{% unsubscribe %}',
] as const;

const templates = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(''));

test.each(FOREIGN_SOURCES)(
  'whatever %s holds, what becomes of it compiles, with a pin and without',
  (source) => {
    fc.assert(
      fc.property(templates, (body) => {
        const conversion = convertForeign({ source, subject: body, body });
        for (const content of [conversion.body, conversion.subject ?? ''])
          for (const pin of ['nlt', null] as const) {
            const { tree } = parseSource(content, pin);
            expect(tree.errors.map(({ message, blockText }) => [message, blockText])).toEqual([]);
            const { kind } = compileTemplate(tree, 'html').render({ contact: {}, now: new Date(0) });
            expect(kind).toBe('rendered');
          }
        for (const { offset, original } of conversion.warnings)
          expect(body.startsWith(original, offset)).toBe(true);
      }),
      { numRuns: runs(3_000) },
    );
  },
);

test.each(FOREIGN_SOURCES)('text without a tag of %s stays as it is', (source) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!/[{*[]| mc:/.test(text));
      expect(convertForeign({ source, subject: text, body: text })).toEqual({
        subject: text,
        body: text,
        warnings: [],
      });
    }),
  );
});
