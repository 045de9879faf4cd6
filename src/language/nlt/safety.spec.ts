/**
 * Data stays data, regardless of its content: it changes no tag, attribute or address of a document, and no name
 * reaches JavaScript's built-in properties of objects. Documents are assembled at random from all contexts that a value
 * can be in. A real HTML parser parses the output, which is compared with the same document filled with a harmless
 * word.
 */
import fc from 'fast-check';
import { isScript, shapeOf } from '../../../test/support/html-shape.js';
import { deriveText } from '../plain-text/derive-text.js';
import { compileTemplate } from './compiler.js';
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';
import { runs } from '../../../test/support/test-scope.js';

/** Expressions that read a value, one per supported form. */
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

/** Pieces of a document; `#` marks the value. */
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

/** Characters that a browser removes from an address, at its ends or anywhere, and characters that it keeps. */
const stripped = fc.constantFrom(...'\t\n\r');
const edge = fc.constantFrom(...'\u0000\u0001\u0008\t\n\u000b\f\r\u001b\u001f ');
const kept = fc.constantFrom(...'\u007f\u0085\u00a0\u200b\u2028\ufeff');
const padding = (unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit, maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(unit, fc.integer({ min: 190, max: 3_000 })).map(([a, n]) => a.repeat(n)),
    },
  );

/** Addresses that execute code, disguised in every way that a browser sees through, and in some that it does not. */
const disguised = fc
  .tuple(
    fc.constantFrom(
      'javascript:alert(1)',
      'vbscript:msgbox(1)',
      'data:text/html,<script>alert(1)</script>',
      'data:,x',
      'data:image/svg+xml,<svg onload=alert(1)>',
      'data:image/png;base64,AAAA',
      'data:image/pngx',
      'java',
      'javascript',
      'java&#115;cript:alert(1)',
      'javascript&colon;alert(1)',
      'java%73cript:alert(1)',
    ),
    padding(fc.oneof({ weight: 9, arbitrary: edge }, { weight: 1, arbitrary: kept })),
    fc.array(fc.tuple(fc.nat(30), padding(stripped)), { maxLength: 4 }),
    fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    fc.oneof(fc.constant(''), padding(edge), kept),
  )
  .map(([address, before, inside, upper, after]) => {
    const characters = Array.from(address, (character, index) =>
      upper[index % upper.length] ? character.toUpperCase() : character,
    );
    for (const [index, pad] of inside) characters[index % characters.length] += pad;
    return before + characters.join('') + after;
  });

const links = fc.constantFrom(
  '<a href="#">a</a>',
  "<a href='  #'>a</a>",
  '<a href="\n#">a</a>',
  '<a href=#>a</a>',
  '<a href="##">a</a>',
  '<a href="{the nope}#">a</a>',
  '<a href="#:#">a</a>',
  '<a href="/#">a</a>',
  '<a href="{if the user\'s nope exists}https://e.example/{end if}#">a</a>',
  '<img src="#">',
  '<img src="{for each L in the user\'s list}{the L}{end for}">',
);

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
      // Signs alone may occur by chance, from the ends of two values and the text between them.
      if (/[<>"']/.test(attack) && /[a-z]{3}/i.test(attack)) {
        expect(attacked.text.split(attack).length).toBe(harmless.text.split(attack).length);
      }
    }),
    { numRuns: runs(2_000) },
  );
});

/** Markup before a value after which the browser's state is not obvious. */
const idioms = fc.constantFrom(
  '<!--[if !mso]><!-->',
  '<!--[if !mso]> -->',
  '<!--[if !mso]><!--><!--<![endif]-->',
  '<!--[if mso]><p title="--><i title="',
  '<!--[if mso]><p title=#><![endif]-->',
  '<!--[if gte mso 9]><xml>#</xml><style>a{b:#}</style><![endif]-->',
  '<![if !mso]>',
  '<!-->',
  '<!--->',
  '<!---->',
  '<!-- a --!>',
  '<!-- a --!><a b="',
  '<!-- # --!>',
  '<!-- #> -->',
  '<!--#-->',
  '<!-#->',
  '<!#>',
  '<!DOCTYPE html "#>',
  '<?xml a="#>',
  '</ a="><i b="',
  '</ a="#>',
  '</#>',
  '</>',
  '<![CDATA[ > #]]>',
  '<svg><![CDATA[ > # ]]></svg>',
  '<svg><title>',
  '<svg><style>',
  '<math><xmp>',
  '<select><title><input>',
  '<iframe><p title="</iframe>',
  '<noscript><p title="</noscript>',
  '<noembed><!--</noembed>',
  '<noframes><!--</noframes>',
  '<title></titles></title >',
  '<style></style\u00a0></style>',
  '<script><!--<script></script>--></script>',
  '<script><!--<script>#</script>#</script>',
  '<script><!--#--></script>',
  '<textarea></textarea/>',
  '<i/="',
  '<i a/="',
  '<i\u000bb="',
  '<i b\u00a0="',
  '<i b\u00a0=">',
  '<i =">',
  '<i b=c\u00a0d>',
);

const hostile = fc.constantFrom(
  'javascript:alert(1)',
  `');alert(1);('`,
  `alert(1)`,
  'x onerror=alert(1) src=x',
  '"><img src=x onerror=alert(1)>',
  '--><script>alert(1)</script>',
  '--!><script>alert(1)</script>',
  '--',
  '-',
  '!',
  ']]',
  '5;url=javascript:alert(1)',
);

/** Contexts in which a value would be executed if it were escaped as text. */
const dangerous = fc.constantFrom(
  '<a href="#">a</a>',
  '<a href=#>a</a>',
  `<p onclick="go('#')">a</p>`,
  '<p onclick=#>a</p>',
  '<img title=#>',
  '<img #>',
  '<p title="#">a</p>',
  '<meta http-equiv="refresh" content="0;url=#">',
  '<script>go("#")</script>',
  '<p>#</p>',
);

function staysData(source: string, attack: string): void {
  const template = parseTemplate(source.replace(/#/g, "{the user's x}"));
  const compiled = compileTemplate(template, 'html');
  const harmless = compiled.render(contextOf('word'));
  const attacked = compiled.render(contextOf(attack));
  expect([harmless.kind, attacked.kind]).toEqual(['rendered', 'rendered']);
  if (harmless.kind !== 'rendered' || attacked.kind !== 'rendered') return;
  for (const scripts of [true, false]) {
    const shape = shapeOf(attacked.text, scripts);
    const runs = [...shape.addresses.filter(isScript), ...shape.code.filter((code) => /alert\(/.test(code))];
    expect([attacked.text, runs]).toEqual([attacked.text, []]);
    // A value may be the name of an attribute, but must not change the number of attributes.
    const [found, wanted] = [shape, shapeOf(harmless.text, scripts)].map(({ elements }) =>
      elements.map((element) => element.split(' ').map((part, index) => (index === 0 ? part : ''))),
    );
    expect([attacked.text, found]).toEqual([attacked.text, wanted]);
  }
}

test('no value runs behind what browsers read in ways of their own', () => {
  fc.assert(
    fc.property(
      idioms,
      fc.constantFrom('', ' ', '">', '-->', '<![endif]-->'),
      dangerous,
      hostile,
      (...parts) => {
        const [idiom, between, place, attack] = parts;
        staysData(idiom + between + place, attack);
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test('no value runs in any soup of markup', () => {
  const crumb = fc.constantFrom(
    ...['<', '>', '/', '!', '-', '--', '=', '"', "'", ' ', 'a', '#', '#', '#', '?', '[', ']]>', '\n', '<!'],
    ...[
      '<!--',
      '-->',
      '--!>',
      '<!--[if mso]>',
      '<![endif]-->',
      '<![CDATA[',
      '<a',
      ' href=',
      ' onclick=',
      '</a>',
    ],
    ...['<title>', '</title', '<style>', '</style>', '<script>', '</script>', '<textarea>', '</textarea>'],
    ...[
      '<svg>',
      '</svg>',
      '<noscript>',
      '</noscript>',
      '<iframe>',
      '</iframe>',
      '<select>',
      '</select>',
      '<p ',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(crumb, { minLength: 2, maxLength: 14 }),
      dangerous,
      hostile,
      (crumbs, place, attack) => staysData(crumbs.join('') + place, attack),
    ),
    { numRuns: runs(2_000) },
  );
});

test('no address runs a script, however it is disguised', () => {
  fc.assert(
    fc.property(links, disguised, (link, address) => {
      const source = link.replace(/#/g, "{the user's x}");
      const result = compileTemplate(parseTemplate(source), 'html').render(contextOf(address));
      expect(result.kind).toBe('rendered');
      if (result.kind === 'rendered') expect(shapeOf(result.text).addresses.filter(isScript)).toEqual([]);
    }),
    { numRuns: runs(5_000) },
  );
});

test('no address in a plain text runs a script either', () => {
  fc.assert(
    fc.property(disguised, (address) => {
      const text = deriveText('<a href="{the user\'s x}">Open</a>');
      const result = compileTemplate(parseTemplate(text), 'text').render(contextOf(address));
      expect(result.kind).toBe('rendered');
      if (result.kind !== 'rendered') return;
      const [, shown = ''] = /^Open \((.*)\)$/s.exec(result.text) ?? [];
      expect([result.text, isScript(shown)]).toEqual([result.text, false]);
    }),
    { numRuns: runs(2_000) },
  );
});

test.each([
  'https://a.example/?javascript:',
  'mailto:a@b.example',
  'HTTP://a.example',
  'tel:+43 1',
  'databases/1',
  '/javascript:x',
  '\u00a0javascript:x',
])('an address that runs nothing stays: %s', (address) => {
  const result = compileTemplate(parseTemplate('<a href="{the user\'s x}">a</a>'), 'html').render(
    contextOf(address),
  );
  expect(result).toEqual({ kind: 'rendered', text: `<a href="${address}">a</a>` });
});

test.each([
  'javascripts:x',
  'ftp://a.example',
  'data:image/png;base64,AAAA',
  'localhost:80',
  ' x:y',
  ':x',
  '12:30',
])('values have no other schemes in links: %s', (address) => {
  const result = compileTemplate(parseTemplate('<a href="{the user\'s x}">a</a>'), 'html').render(
    contextOf(address),
  );
  expect(result).toEqual({ kind: 'rendered', text: '<a href="#">a</a>' });
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
    { numRuns: runs(1_000) },
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

test.each([
  [
    'a section',
    `<svg><style><![CDATA[a{}]]></style></svg><a href="https://x.org/?q=#">`,
    '1&b=2',
    '1%26b%3D2',
  ],
  ['a section with brackets', `<svg><![CDATA[]]]></svg><a href="https://x.org/?q=#">`, '1&b=2', '1%26b%3D2'],
  ['a refresh after a tab', '<meta content="#">', '0\tjavascript:alert(1)', '#'],
  ['a refresh after a line', '<meta content="0;url=#">', 'a\njavascript:alert(1)', '#'],
  ['a list of an animation', '<animate attributeName="href" values="#">', 'x;javascript:alert(1)', '#'],
  ['a lone bracket in a script that may be markup', '<svg><script><#<<a href="x">', 'b', ''],
  ['two values and a slash', '<a href="{the nope}/#">', '/evil.com', '%2Fevil.com'],
])('behind %s a value stays one', (_, source, value, written) => {
  const template = parseTemplate(source.replaceAll('#', "{the user's x}"));
  expect(template.errors).toEqual([]);
  const rendered = compileTemplate(template, 'html').render(contextOf(value));
  const empty = compileTemplate(template, 'html').render(contextOf(''));
  if (rendered.kind !== 'rendered' || empty.kind !== 'rendered') throw new Error('It is not rendered.');
  const place = source.replace('{the nope}', '').indexOf('#');
  expect(rendered.text.slice(place, rendered.text.length - (empty.text.length - place))).toBe(written);
});
