/**
 * Whatever data says, it stays data: it changes no tag, attribute or address of a document, and no name reaches what
 * JavaScript gives to every object. Documents are put together at random from all places that a value can stand in;
 * what comes out is read by a real HTML parser and compared with the same document filled with a harmless word.
 */
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { compileTemplate } from './compiler.js';
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';

/** What reads a value, each in one of the ways there are. */
const reading = fc.constantFrom(
  "the user's x",
  'the x from the trigger event',
  'the x from the signed up event',
  'the x',
  "the user's Group's x",
  "the user's list",
  "the user's deep.0.x",
  "the user's nope, or the user's x",
  "the user's Group, or the user's x",
);

const changing = fc.constantFrom(
  '',
  ', uppercase',
  ', lowercase',
  ', titlecase',
  ', capitalized',
  ', trimmed',
  ', first',
  ', last',
  ', rounded',
  ', required',
  ', or "&lt;i&gt;"',
  ', joined with "&lt;&quot;"',
  ', replacing "a" with "&lt;b&gt;"',
  ", replacing 'a' with '&quot;'",
  ', as "currency"',
  ', as "percent"',
  ', as "date"',
  ', as "d MMM yyyy"',
);

const expression = fc
  .tuple(reading, changing, changing)
  .map(([value, first, second]) => `{${value}${first}${second}}`);

/** Pieces of a document; `#` is where a value stands. */
const places = fc.constantFrom(
  '#',
  '<p>#</p>',
  '<p>1 < 2, #</p>',
  '<p title="#">a</p>',
  "<p title='#'>a</p>",
  '<p title=#>a</p>',
  '<p title=a#>b</p>',
  '<p title = "#" class="b#c">a</p>',
  '<p style="color:#">a</p>',
  '<a href="#">a</a>',
  "<a href=' #'>a</a>",
  '<a href=#>a</a>',
  '<a href="##">a</a>',
  '<a href="/#">a</a>',
  '<a href="https://e.example/#?q=#&amp;r=#">#</a>',
  "<a href='mailto:#?subject=#'>#</a>",
  '<img src="#" alt="#">',
  '<img src=https://e.example/i.png?u=#>',
  '<td {if the user\'s x exists}id="a" {end if}class="#">#',
  '<a href="{if the user\'s nope exists}https://e.example/{end if}#">a</a>',
  '<a href="{if the user\'s x exists}/?q={else}#{end if}#" title="#">#</a>',
  '<a href="{for each L in the user\'s nope}https://e.example/{end for}#">a</a>',
  '{for each L in the user\'s list}<p title="{the L}">{the L, uppercase}</p>{end for}',
  '{for each D in the user\'s deep}<a href="{the D\'s x}">{the D\'s x, or "a"}</a>{end for}',
  '{for each L in the user\'s list}<a href="/?q={the L}&r=#">#</a>{end for}',
  '<style>p{content:"#"}</style>',
  '<script>var a = "#";</script>',
  '<script type="application/ld+json">{"a": "#"}</script>',
  '<textarea>#</textarea>',
  '<!-- # -->',
  '<!--[if mso]><p title="#">#</p><![endif]-->',
  'Ann <#>',
  'Ann <#',
);

const documents = fc
  .array(fc.tuple(places, fc.array(expression, { minLength: 4, maxLength: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) =>
    pieces.map(([place, values]) => place.replace(/#/g, () => values.pop() ?? "{the user's x}")).join('\n'),
  );

const attacks = fc.constantFrom(
  '"><script>alert(1)</script>',
  `' onmouseover=alert(1) x='`,
  '<img src=x onerror=alert(1)>',
  '</p></title></style></script></textarea><b>',
  '--><b>',
  '--!><b>',
  '<!--',
  ']]><b>',
  'javascript:alert(1)',
  ' java\tscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<b>',
  'vbscript:a',
  '//evil.example',
  '/script',
  'script',
  'a onclick=b',
  '&quot;&lt;b&gt;',
  '&#34;&#60;b',
  '\u0000<b',
  'a`b${c}\\',
  '\ud800<b>',
);
const anyAttack = fc.oneof(
  attacks,
  fc.tuple(attacks, attacks).map((both) => both.join('')),
  fc.string({ unit: fc.constantFrom(...`<>"'&=/ -!a\n\`\\:;#{}()`), minLength: 1, maxLength: 12 }),
);

function contextOf(x: string): RenderContext {
  const data = { x, list: [x, x], deep: [{ x }, { x }], group: { x } };
  return {
    contact: data,
    triggerEvent: { eventName: 'order', attributes: { x } },
    events: { signed_up: { attributes: { x } } },
    now: new Date('2026-05-01T00:00:00Z'),
  };
}

interface Shape {
  readonly elements: string[];
  readonly addresses: string[];
}

/** The elements with the names of their attributes, and what stands in links. */
function shapeOf(html: string): Shape {
  const shape: Shape = { elements: [], addresses: [] };
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) {
      shape.elements.push(`${node.tagName} ${node.attrs.map(({ name }) => name).join(' ')}`);
      const links = node.attrs.filter(({ name }) => name === 'href' || name === 'src');
      shape.addresses.push(...links.map(({ value }) => value));
    } else if (node.nodeName === '#comment') {
      shape.elements.push('comment');
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return shape;
}

/** The address as a browser reads it, which drops white space and control characters. */
function isScript(address: string): boolean {
  return /^(?:javascript|vbscript|data):/i.test(address.replace(/[\s\p{Cc}]/gu, ''));
}

test('no value changes the document around it', () => {
  fc.assert(
    fc.property(documents, anyAttack, (source, attack) => {
      const template = parseTemplate(source);
      expect(template.errors).toEqual([]);
      const compiled = compileTemplate(template, 'html');
      const harmless = compiled.render(contextOf('word'));
      const attacked = compiled.render(contextOf(attack));
      expect(harmless.kind).toBe('rendered');
      expect(attacked.kind).toBe(attack.trim() === '' ? attacked.kind : 'rendered');
      if (harmless.kind !== 'rendered' || attacked.kind !== 'rendered') return;
      const shape = shapeOf(attacked.text);
      expect(shape.elements).toEqual(shapeOf(harmless.text).elements);
      expect(shape.addresses.filter(isScript)).toEqual([]);
      if (/[<>"']/.test(attack) && attack.length > 3) {
        expect(attacked.text.split(attack).length).toBe(harmless.text.split(attack).length);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('as "html" alone lets a value through as it is', () => {
  fc.assert(
    fc.property(anyAttack, (attack) => {
      const result = compileTemplate(parseTemplate('<p>{the x, as "html"}</p>'), 'html').render(
        contextOf(attack),
      );
      const expected = attack.trim() === '' ? expect.anything() : `<p>${attack}</p>`;
      expect(result).toEqual({ kind: 'rendered', text: expected });
    }),
  );
});

const inherited = [Object, Array, String, Number, Date, Function, Map].flatMap((type) => [
  ...Object.getOwnPropertyNames(type.prototype),
  ...Object.getOwnPropertyNames(type),
]);
const inheritedName = fc.constantFrom(...new Set(inherited), '__proto__', 'prototype');

test('no name reaches what every object has', () => {
  const context: RenderContext = {
    contact: { text: 'a', number: 1, flag: true, born: new Date(0), things: [{ a: 1 }], nested: { a: 'b' } },
    triggerEvent: { eventName: 'order', attributes: { nested: {}, things: [[]] } },
    events: { signed_up: { attributes: {} } },
    now: new Date(0),
  };
  const owner = fc.constantFrom(
    '',
    'text',
    'number',
    'flag',
    'born',
    'things',
    'things.0',
    'nested',
    'nested.a',
  );
  fc.assert(
    fc.property(owner, fc.array(inheritedName, { minLength: 1, maxLength: 3 }), (start, names) => {
      const path = [...start.split('.'), ...names]
        .filter((name) => name !== '')
        .map((name) => `"${name}"`)
        .join("'s ");
      const event = `"${names[0]}"`;
      const source = [
        `{the user's ${path}}{the ${path}}{the ${path} from the trigger event}`,
        `{the ${path} from the signed up event}{the ${path} from the ${event} event}`,
        `{for each x in the user's ${path}}x{end for}{if the user's ${path} exists}y{end if}`,
        `{for each x in the user's things}{the x's ${path}}{end for}`,
      ].join('');
      const result = compileTemplate(parseTemplate(source), 'text').render(context);
      expect(result).toEqual({ kind: 'rendered', text: '' });
    }),
    { numRuns: 1_000 },
  );
});

test('what has been added to the prototype of every object is not found', () => {
  const added = Object.prototype as unknown as Record<string, unknown>;
  try {
    added['planted'] = 'here';
    added['properties'] = { planted: 'here' };
    added['attributes'] = { planted: 'here' };
    const source =
      "{the user's planted}{the planted}{the user's sub.planted}{the planted from the planted event}{the planted from the a event}{the user's Planted}";
    const result = compileTemplate(parseTemplate(source), 'text').render({
      contact: { sub: {} },
      events: { a: { attributes: {} } },
      now: new Date(0),
    });
    expect(result).toEqual({ kind: 'rendered', text: '' });
  } finally {
    for (const name of ['planted', 'properties', 'attributes']) delete added[name];
  }
});

test('rendering leaves the data as it was', () => {
  fc.assert(
    fc.property(documents, anyAttack, (source, attack) => {
      const context = contextOf(attack);
      compileTemplate(parseTemplate(source), 'html').render(context);
      expect(context).toEqual(contextOf(attack));
    }),
  );
});
